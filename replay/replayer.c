// Several runs of one program (rt/replay.h). Probing tells which executions of the accesses touch the same
// bytes; holding brings those together. What cannot be held together, because one comes to its access only
// behind the other's (a pointer that is published by the same race), is seen in the probing run: both
// executed, in segments that the schedule does not order, with nothing between them that orders memory.
#include "alias/alias.h"
#include "replayer.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <stdlib.h>
#include <sys/wait.h>
#include "record/record.h"
#include "match.h"
#include "run.h"
#include "stands.h"
#include "table.h"
#include "core/core.h"

struct Replayer {
  Program loaded;
  Vec(InstrumentAccess) accesses;
  char *binary;
};

typedef struct {
  const Replayer *r;
  const Sigma *w;
  const Schedule *c;
  const ReplayOptions *o;
  ReplayResult *result;
  RtReplay *blank, *table;
  ReplayEnd end;                    // of the last run
  ReplayEnd plain;                  // without the accesses
  bool has_plain, found, separate;  // separate: a probing run showed both, unordered
  ReplayMatch match;
  RtReplay *shown;       // the table of that
  uint64_t executed[2];  // the most in a probing run
  bool more;             // and some of it was not looked at
} Session;

static ReplayNames names(const Replayer *r) {
  return (ReplayNames){r->loaded.sites, r->accesses.at, r->accesses.len};
}

// The texts are the witness's.
static void add_accesses(Replayer *r, const Sigma *w) {
  const Schedule *c = w->schedules.at[0];
  if (!schedule_is_witness(c)) return;
  for (size_t i = c->events.len - 2; i < c->events.len; ++i) {
    const SigmaAccess *a = &w->accesses.at[c->events.at[i].other];
    InstrumentAccess named = {sigma_text(w, a->name), a->writes};
    ReplayNames known = names(r);
    if (replay_access(&known, named.name, a->writes) == UINT32_MAX) vec_push(&r->accesses, named);
  }
}

bool replay_is_own(const char *file) {
  struct stat st;
  return stat(file, &st) || st.st_uid == geteuid();
}

void replay_tell_owner(const char *file, Diags *d) {
  if (replay_is_own(file)) return;
  diag_warning(
      d,
      "%s belongs to another user: the program runs with the arguments, input and environment that it "
      "gives",
      file);
}

static bool trusts;

void replay_trust_environment(void) {
  trusts = true;
}

bool replay_trusted(void) {
  return trusts;
}

static void tell_no_witness(const Sigma *w, Diags *d) {
  diag(d, DIAG_ERROR, (Place){w->file, 0, 0},
       "not a witness: a witness has one schedule that ends with two accesses, or with threads that stand");
}

bool replay_can(const Sigma *w, Diags *d) {
  const Schedule *c = w->schedules.len == 1 ? w->schedules.at[0] : NULL;
  bool can = c && (schedule_is_witness(c) || schedule_stands(c));
  if (!can) tell_no_witness(w, d);
  return can;
}

static bool is_usable(Replayer *r, const char *app, const Sigma *w, Diags *d) {
  if (strcmp(sigma_text(w, w->module), r->loaded.hash_text)) {
    diag(d, DIAG_ERROR, (Place){w->file, w->module_line, 0},
         "belongs to another program: the module hash of %s is %s", app, r->loaded.hash_text);
    return false;
  }
  const Schedule *c = w->schedules.len == 1 ? w->schedules.at[0] : NULL;
  if (!c || !(schedule_is_witness(c) || c->incomplete)) {
    tell_no_witness(w, d);
    return false;
  }
  const char *forbidden = trusts ? NULL : replay_forbidden(w, w->schedules.at[0], r->loaded.module);
  if (forbidden) {
    diag(d, DIAG_ERROR, (Place){w->file, 0, 0},
         "sets the environment variable %s, which the program does not ask for, or which can make it load or "
         "run "
         "other files; "
         "--trust-environment allows it",
         forbidden);
    return false;
  }
  program_suit(&r->loaded, w);
  return sigma_check(w, d) && sigma_validate(w, r->loaded.sites, r->loaded.graph, r->loaded.sync, d);
}

Replayer *replayer_new(const char *app, const Sigma *const *witnesses, size_t count, Diags *diags) {
  Replayer *r = mem_alloc(sizeof *r);
  bool ok = program_open(app, targets_find, &r->loaded, diags);
  for (size_t i = 0; i < count && ok; ++i)
    if ((ok = is_usable(r, app, witnesses[i], diags))) add_accesses(r, witnesses[i]);
  RecorderOptions how = {.accesses = r->accesses.at, .access_count = r->accesses.len, .replay = true};
  if (ok) r->binary = recorder_cached(&r->loaded, app, &how, diags);
  if (r->binary) return r;
  replayer_free(r);
  return NULL;
}

void replayer_free(Replayer *r) {
  if (!r) return;
  program_free(&r->loaded);
  vec_free(&r->accesses);
  mem_free(r->binary);
  mem_free(r);
}

__attribute__((format(printf, 3, 4))) static void verdict(Session *k, ReplayVerdict v, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  mem_free(k->result->why);
  k->result->why = mem_vformat(fmt, args);
  k->result->verdict = v;
  va_end(args);
}

// t1 at racy.c:57:5; the caller's.
static char *side_text(const Session *k, unsigned side) {
  const Event *e = &k->c->events.at[k->c->events.len - 2 + side];
  const SigmaAccess *a = &k->w->accesses.at[e->other];
  if (a->file == SIGMA_NONE) return mem_format("t%" PRIu32 " at %s", e->thread, sigma_text(k->w, a->name));
  return mem_format("t%" PRIu32 " at %s:%" PRIu32 ":%" PRIu32, e->thread, sigma_text(k->w, a->file), a->line,
                    a->column);
}

static double time_of_run(const Session *k) {
  double t = k->o->timeout > 0 ? k->o->timeout : LIMIT_REPLAY_RUN;
  if (k->o->until > 0 && replay_clock() + t > k->o->until) t = k->o->until - replay_clock();
  return t;
}

// False: there is no time, or it cannot be run, which is the verdict then.
static bool run(Session *k, RtReplayMode mode, unsigned first, const ReplayMatch *hold, bool by_address) {
  double timeout = time_of_run(k);
  if (timeout <= 0 || stop_wanted()) return verdict(k, REPLAY_UNDECIDED, "no time left"), false;
  memcpy(k->table, k->blank, replay_size(k->blank));
  k->table->mode = mode;
  k->table->first = first;
  if (timeout * 250 < LIMIT_REPLAY_WAIT) k->table->patient = (uint32_t)(timeout * 250);
  for (int i = 0; i < 2 && hold; ++i) {
    RtReplaySide *s = &k->table->side[i];
    s->occurrence = by_address ? UINT64_MAX : hold->occurrence[i];
    s->low = hold->low, s->high = hold->high;
  }
  replay_end_free(&k->end);
  k->end = replay_once(
      &(ReplayRun){.binary = k->r->binary, .witness = k->w, .table = k->table, .timeout = timeout});
  ++k->result->runs;
  if (k->end.started) return true;
  verdict(k, REPLAY_FAILED, "%s could not be run: %s", k->r->binary, strerror(k->end.error));
  return false;
}

static RtReplayState state_of(const Session *k) {
  return (RtReplayState)k->table->state;
}

// Why a run did not come to the end of both segments.
static void tell_stopped(Session *k) {
  const RtReplay *t = k->table;
  if (state_of(k) == RT_REPLAY_DIVERGED) {
    char *site = t->site < t->sites ? sites_name(k->r->loaded.sites, t->site) : NULL;
    verdict(k, REPLAY_UNDECIDED,
            "t%" PRIu32 " left the list of events: it %s%s where the list has another event", t->thread,
            site ? "came to " : "ended", site ? site : "");
    mem_free(site);
  } else if (t->done < t->events) {
    verdict(k, REPLAY_UNDECIDED, "%s when %" PRIu32 " of the %" PRIu32 " events of the list had taken place",
            k->end.timed_out ? "the program stopped making progress" : "the program ended", t->done,
            t->events);
  } else if (!k->end.timed_out) {
    verdict(k, REPLAY_UNDECIDED, "the program ended before the accesses");
  } else {
    unsigned late = t->side[0].flags & RT_SIDE_ENDED ? 1 : 0;
    char *text = side_text(k, t->side[0].flags & RT_SIDE_HELD   ? 1
                              : t->side[1].flags & RT_SIDE_HELD ? 0
                                                                : late);
    verdict(k, REPLAY_UNDECIDED, "%s did not get there: it waits for another thread", text);
    mem_free(text);
  }
}

static bool wants(const Session *k, const ReplayMatch *m) {
  for (unsigned i = 0; i < 2; ++i) {
    uint32_t wanted = k->c->occurrences[i];
    if (wanted != SIGMA_NONE && wanted != m->occurrence[i]) return false;
  }
  return true;
}

static void learn(Session *k) {
  ReplayMatch m;
  for (int i = 0; i < 2; ++i) {
    const RtReplaySide *s = &k->table->side[i];
    if (s->executed > k->executed[i]) k->executed[i] = s->executed;
    k->more |= (s->flags & RT_SIDE_MORE) != 0;
  }
  bool found = replay_match(k->table, &m);
  k->more |= m.cut;
  if (!found || !wants(k, &m)) return;
  bool over = state_of(k) == RT_REPLAY_ENDED;
  if (!k->found) k->match = m;
  k->found = true;
  if (m.ordered || !over || k->separate || k->table->reused) return;
  k->separate = true;
  k->match = m;
  memcpy(k->shown, k->table, replay_size(k->table));
}

// True: both segments were gone through.
static bool probe(Session *k, unsigned first) {
  for (int i = 0; i < LIMIT_REPLAY_PROBES; ++i) {
    if (!run(k, RT_REPLAY_PROBE, first, NULL, false)) return false;
    learn(k);
    if (state_of(k) == RT_REPLAY_ENDED) return true;
    tell_stopped(k);
    if (k->end.timed_out) return false;
  }
  return false;
}

static void take_places(Session *k, const ReplayMatch *m, const RtReplay *t, bool held) {
  ReplayResult *r = k->result;
  for (int i = 0; i < 2; ++i) {
    r->occurrence[i] = held ? t->side[i].executed - 1 : m->occurrence[i];
    r->address[i] = held ? t->side[i].address : m->low;
    r->size[i] = held ? t->side[i].size : m->high - m->low;
  }
  r->first = t->first & 1;
  r->has_values = held;
  r->before = t->side[r->first].before;
  r->after = t->side[r->first].after;
}

static bool differs(const Bytes *a, const Bytes *b) {
  return a->len != b->len || (a->len && memcmp(a->at, b->at, a->len));
}

static bool run_plain(Session *k) {
  ReplayEnd kept = k->end;
  char *why = k->result->why ? mem_string(k->result->why) : NULL;
  ReplayVerdict v = k->result->verdict;
  k->end = (ReplayEnd){0};
  bool ok = run(k, RT_REPLAY_PLAIN, 0, NULL, false) && !k->end.timed_out;
  replay_end_free(&k->plain);
  k->plain = k->end;
  k->end = kept;
  k->has_plain = true;
  mem_free(k->result->why);
  k->result->why = why;
  k->result->verdict = v;
  k->plain.started = ok;
  return ok;
}

__attribute__((format(printf, 3, 4))) static void followed(ReplayResult *r, bool visible, const char *fmt,
                                                           ...) {
  va_list args;
  va_start(args, fmt);
  mem_free(r->followed);
  r->followed = mem_vformat(fmt, args);
  r->visible = visible;
  va_end(args);
}

static void died(ReplayResult *r, const ReplayEnd *e) {
  int sig = WTERMSIG(e->status);
  const char *what = strsignal(sig);
  bool asserted = sig == SIGABRT && memmem(e->err.at, e->err.len, "Assertion", 9);
  followed(r, true, "%s signal %d (%s)",
           asserted ? "an assertion failed, and the program died of" : "the program died of", sig, what);
}

static void judge(Session *k) {
  ReplayResult *r = k->result;
  const ReplayEnd *e = &k->end;
  int recorded = k->c->end == SIGMA_EXIT ? (int)k->c->end_number : -1;
  r->status = e->status;
  r->hung = e->timed_out;
  if (e->timed_out) {
    followed(r, true, "the program did not end in time");
  } else if (WIFSIGNALED(e->status)) {
    died(r, e);
  } else if (recorded >= 0 && WEXITSTATUS(e->status) != recorded) {
    followed(r, true, "the program exited with status %d; in the recording it was %d", WEXITSTATUS(e->status),
             recorded);
  } else if (!k->has_plain && !run_plain(k)) {
    followed(r, false, "nothing visible (no other run to compare the output with)");
  } else if (!k->plain.started) {
    followed(r, false, "nothing visible");
  } else if (recorded < 0 && k->plain.status != e->status) {
    followed(
        r, true,
        "the program exited with status %d; without holding the accesses together the status was different",
        WEXITSTATUS(e->status));
  } else if (differs(&e->out, &k->plain.out) || differs(&e->err, &k->plain.err)) {
    followed(r, true, "the program's output differed from a run that did not hold the accesses together");
  } else {
    followed(r, false, "nothing visible");
  }
}

// A second run, in which the other goes first, may show more.
static void try_other_way(Session *k, bool by_address) {
  ReplayResult kept = *k->result;
  ReplayEnd end = k->end;
  unsigned first = !kept.first;
  k->end = (ReplayEnd){0};
  k->result->why = k->result->followed = NULL;
  bool met = run(k, RT_REPLAY_HOLD, first, &k->match, by_address) && state_of(k) == RT_REPLAY_MET;
  if (met) take_places(k, &k->match, k->table, true), judge(k);
  unsigned runs = k->result->runs;
  if (met && k->result->visible) {
    mem_free(kept.followed);
    replay_end_free(&end);
    k->result->why = kept.why;
    return;
  }
  mem_free(k->result->why), mem_free(k->result->followed);
  replay_end_free(&k->end);
  *k->result = kept;
  k->result->runs = runs;
  k->end = end;
}

// One was held, the other did not come.
static void tell_ordered(Session *k) {
  if (k->match.ordered)
    verdict(k, REPLAY_UNDECIDED,
            "one thread does not reach its access while the other is held: atomic operations or excluded "
            "locks order the two");
}

// True: there is a verdict.
static bool hold(Session *k) {
  unsigned tries = k->o->tries ? k->o->tries : LIMIT_REPLAY_TRIES;
  for (unsigned i = 0; i < tries; ++i) {
    bool by_address = i % 2;
    if (!run(k, RT_REPLAY_HOLD, i / 2 % 2, &k->match, by_address)) return true;
    if (state_of(k) == RT_REPLAY_MET) {
      verdict(k, REPLAY_REPLAYED, "both were about to touch the same memory at the same time");
      take_places(k, &k->match, k->table, true);
      judge(k);
      if (!k->result->visible) try_other_way(k, by_address);
      return true;
    }
    if (state_of(k) == RT_REPLAY_LOCKED && k->match.ordered)
      return verdict(k, REPLAY_REFUTED,
                     "one thread waits for an excluded lock at 0x%" PRIx64 " that the other holds",
                     k->table->lock),
             true;
    if (state_of(k) == RT_REPLAY_ENDED || state_of(k) == RT_REPLAY_LOCKED) continue;
    tell_stopped(k);
    if (k->end.timed_out) return tell_ordered(k), false;
  }
  return false;
}

static void show_apart(Session *k) {
  bool ran = run(k, RT_REPLAY_APART, k->shown->first, NULL, false) && state_of(k) == RT_REPLAY_ENDED;
  k->result->apart = true;
  take_places(k, &k->match, k->shown, false);
  verdict(k, REPLAY_REPLAYED,
          "both touched the same memory with nothing between them that orders the two, but they cannot be "
          "held there at the same time");
  if (ran)
    judge(k);
  else
    followed(k->result, false, "nothing visible");
}

static bool is_entered_late(const Callgraph *g, uint32_t f) {
  return callgraph_entries(g, f) & (ENTRY_LATER | ENTRY_CONSTRUCTOR);
}

// It, or what calls it, runs as the process or a thread ends: handlers of exit, destructors of globals. The
// runtime is gone before the last of them.
static bool may_run_late(const Session *k, unsigned side) {
  const Event *e = &k->c->events.at[k->c->events.len - 2 + side];
  const char *name = sigma_text(k->w, k->w->accesses.at[e->other].name);
  const Callgraph *g = k->r->loaded.graph;
  char *function = mem_format("%.*s", (int)strcspn(name, "%"), name);
  LLVMValueRef f = LLVMGetNamedFunction(k->r->loaded.module, function);
  mem_free(function);
  bool *seen = mem_array(callgraph_count(g), sizeof *seen), late = false;
  IdVec work = {0}, sites = {0};
  if (f) vec_push(&work, callgraph_id(g, f));
  while (work.len && !late) {
    uint32_t id = vec_pop(&work);
    if (id == CALLGRAPH_NONE || seen[id]) continue;
    seen[id] = true, late = is_entered_late(g, id);
    sites.len = 0;
    callgraph_callers(g, id, &sites);
    for (vec_each(i, &sites))
      vec_push(&work, callgraph_id(g, sites_function(callgraph_sites(g), sites.at[i])));
  }
  mem_free(seen);
  vec_free(&work), vec_free(&sites);
  return late;
}

static void tell_never(Session *k) {
  for (unsigned i = 0; i < 2; ++i) {
    if (k->executed[i]) continue;
    char *text = side_text(k, i);
    if (may_run_late(k, i))
      verdict(k, REPLAY_UNDECIDED, "%s: it may run while the process ends, where replay cannot watch it",
              text);
    else
      verdict(k, REPLAY_REFUTED, "%s: the segment ended without this access", text);
    mem_free(text);
    return;
  }
  if (k->more)
    verdict(k, REPLAY_UNDECIDED, "they touched too much memory to compare all of it");
  else
    verdict(k, REPLAY_REFUTED, "they never touched the same memory");
}

static void decide(Session *k) {
  bool first = probe(k, 0), ended = first;
  if (k->result->verdict == REPLAY_FAILED) return;
  if (k->found && hold(k) && !(k->separate && k->result->verdict == REPLAY_UNDECIDED)) return;
  if (!k->separate && (first || !k->found)) {
    bool before = k->found;
    ended &= probe(k, 1);
    if (k->result->verdict == REPLAY_FAILED) return;
    if (!before && k->found && hold(k)) return;
  }
  if (k->separate)
    show_apart(k);
  else if (!k->found && ended)
    tell_never(k);
  else if (!k->result->why)
    verdict(k, REPLAY_UNDECIDED,
            "both touched the same memory, but could not be held there at the same time; atomic operations "
            "or excluded locks may order them");
}

// -- threads that wait for each other

static uint32_t thread_named(const RtReplay *t, const RtStand *joins) {
  for (uint32_t i = 0; joins->kind == RT_STAND_JOIN && i < RT_STANDS; ++i)
    if (t->stand[i].self == joins->object && t->stand[i].thread && t->stand[i].thread != RT_STAND_NOBODY)
      return t->stand[i].thread - 1;
  return SIGMA_NONE;
}

static void take_stood(Session *k) {
  bool ring[RT_STANDS];
  size_t count = stands_ring(k->table, ring);
  k->result->stood.len = 0;
  for (uint32_t i = 0; i < RT_STANDS; ++i) {
    const RtStand *s = &k->table->stand[i];
    if (count ? !ring[i] : !stand_waits(s)) continue;
    uint32_t thread = s->thread == RT_STAND_NOBODY ? SIGMA_NONE : s->thread - 1;
    vec_push(&k->result->stood, ((ReplayStood){thread, s->site, s->kind, thread_named(k->table, s)}));
  }
}

static bool stands_there(const Session *k, const Event *e) {
  const char *name = sigma_text(k->w, k->w->sites.at[e->site].name);
  uint32_t site = sites_find(k->r->loaded.sites, name, strlen(name));
  for (vec_each(i, &k->result->stood)) {
    const ReplayStood *s = &k->result->stood.at[i];
    if (s->thread == e->thread && (s->site == site || s->site == RT_SITE_INDIRECT)) return true;
  }
  return false;
}

static void tell_moving(Session *k) {
  const RtReplay *t = k->table;
  if (state_of(k) == RT_REPLAY_DIVERGED || t->done < t->events)
    tell_stopped(k);
  else if (k->end.timed_out)
    verdict(k, REPLAY_UNDECIDED,
            "the program did not end in time, but not all of these threads were seen to "
            "wait for each other");
  else
    verdict(k, REPLAY_UNDECIDED, "the program ended: the threads did not wait for each other");
}

// True: they stand as the witness says. With none in it, any will do.
static bool try_to_stand(Session *k) {
  if (!run(k, RT_REPLAY_STAND, 0, NULL, false)) return false;
  if (!k->end.stood) return tell_moving(k), false;
  take_stood(k);
  for (vec_each(i, &k->c->standing))
    if (!stands_there(k, &k->c->standing.at[i]))
      return verdict(k, REPLAY_UNDECIDED, "the program stood still, but somewhere else"), false;
  verdict(k, REPLAY_REPLAYED, "every thread involved stands still");
  followed(k->result, true, "the program stood still until it was killed");
  k->result->status = k->end.status, k->result->hung = true;
  return true;
}

static void decide_standing(Session *k) {
  unsigned tries = k->o->tries ? k->o->tries : schedule_stands(k->c) ? LIMIT_REPLAY_PROBES : 1;
  for (unsigned i = 0; i < tries && !try_to_stand(k); ++i)
    if (k->result->verdict == REPLAY_FAILED || k->end.timed_out) return;
}

static void pass_output(const ReplayEnd *e) {
  file_write_fd(1, e->out.at, e->out.len);
  file_write_fd(2, e->err.at, e->err.len);
}

ReplayResult replayer_run(const Replayer *r, const Sigma *witness, const ReplayOptions *o) {
  ReplayResult result = {.verdict = REPLAY_UNDECIDED};
  Diags *d = diags_new();
  Session k = {.r = r, .w = witness, .c = witness->schedules.at[0], .o = o, .result = &result};
  ReplayNames known = names(r);
  k.blank = replay_table(&known, witness, 0, d);
  if (k.blank) k.blank->patient = LIMIT_REPLAY_WAIT;
  if (k.blank) {
    k.table = mem_alloc(replay_size(k.blank));
    k.shown = mem_alloc(replay_size(k.blank));
    if (schedule_is_witness(k.c))
      decide(&k);
    else
      decide_standing(&k);
    if (o->pass_output) pass_output(&k.end);
  } else {
    verdict(&k, REPLAY_FAILED, "the witness is not a possible schedule");
  }
  replay_end_free(&k.end);
  replay_end_free(&k.plain);
  mem_free(k.blank), mem_free(k.table), mem_free(k.shown);
  diags_free(d);
  return result;
}

void replay_result_free(ReplayResult *r) {
  mem_free(r->why);
  mem_free(r->followed);
  vec_free(&r->stood);
}

// All pairs of accesses by object, cheapest questions first; one pair for each pair of sites in the source.
#include "compose.h"
#include <assert.h>
#include "frames.h"
#include "handmade.h"
#include "locks.h"
#include "owned.h"
#include "pair.h"
#include "race.h"
#include "seen.h"
#include "unknown.h"
#include "untold.h"
#include "record/record.h"
#include <stdlib.h>

typedef struct {
  size_t finding;
  uint32_t a, b;  // accesses
} Told;

typedef struct {
  const RaceOptions *o;
  Flow *flow;
  const Code *code;  // of the flow, and these
  const Alias *alias;
  const Accesses *accesses;
  Composer *composer;
  Handmade *handmade;
  Locks *locks;
  Owned *owned;
  Map *site;            // of an instruction -> a number, the same for all clones
  Vec(uint32_t) sites;  // by access
  Map *decided;         // pairs of sites that are reported already
  Map *logged;          // pairs of sites and reasons that --explain has
  Vec(Told) told;
  size_t limit;
  size_t until;  // of what is told, for the object at hand
  Untold *untold;
  Report *report;
  RaceFigures *figures;
} Check;

// -- sites

static uint32_t site_of(Intern *names, LLVMValueRef inst) {
  char *name = origin_of(inst);
  OriginFrames stack = {0};
  if (!name) origin_stack(inst, &stack);
  if (!name && stack.len)
    name = mem_format("%s:%u:%u", stack.at[0].file, stack.at[0].line, stack.at[0].column);
  if (!name) {
    size_t len;
    name = mem_format("%s", LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)), &len));
  }
  uint32_t id = intern_id(names, name, strlen(name));
  vec_free(&stack);
  mem_free(name);
  return id;
}

static void name_sites(Check *c) {
  Intern *names = intern_new();
  for (size_t i = 0; i < accesses_count(c->accesses); ++i)
    vec_push(&c->sites, site_of(names, accesses_at(c->accesses, i)->inst));
  intern_free(names);
}

// -- what is told

static void describe_locks(Check *c, const Access *x, FindingAccess *out) {
  LockSet all = locks_held(c->locks, x->inst);
  uint64_t held = all.exclusive | all.shared;
  for (unsigned i = 0; held >> i; ++i) {
    FindingLock lock = {0};
    if (!(held >> i & 1)) continue;
    char *name = where_name(LLVMGetValueName(call_strip(locks_lock(c->locks, i))));
    lock.name = report_intern(c->report, name);
    mem_free(name);
    vec_push(&out->locks, lock);
  }
}

static void describe(Check *c, const Access *x, Region r, FindingAccess *out) {
  char *site = origin_of(x->inst);
  frames_of(c->report, x->inst, &out->stack);
  const FindingFrame *own = finding_own_frame(&out->stack);
  if (out->stack.len) out->at = own ? *own : out->stack.at[0];
  out->site = report_intern(c->report, site);
  out->thread = r.thread;
  out->schedule = c->o->schedule;
  out->routine = frames_routine(c->report, c->o->sigma, code_order(c->code), r.thread);
  out->creator = FINDING_NONE;
  out->kind = x->kind & ALIAS_FREES ? FINDING_FREE : x->kind & ALIAS_WRITES ? FINDING_WRITE : FINDING_READ;
  out->atomic = x->atomic;
  out->bytes = x->bytes < ALIAS_REST ? (uint64_t)x->bytes : 0;
  LLVMValueRef create = r.thread ? code_create(c->code, r.thread) : NULL;
  uint32_t creator, first, last;
  if (create && cfspec_event_of(create, &creator, &first, &last)) out->creator = creator;
  if (create) frames_of(c->report, create, &out->created);
  describe_locks(c, x, out);
  mem_free(site);
}

// The name in the source, also of a clone.
static char *name_of_function(LLVMValueRef f) {
  uint32_t thread, activation;
  size_t len, clone_len;
  const char *name = LLVMGetValueName2(f, &len);
  if (cfspec_clone_of(f, &thread, &activation, &clone_len)) len = clone_len;
  char *symbol = mem_format("%.*s", (int)len, name), *plain = frames_name(symbol);
  mem_free(symbol);
  return plain;
}

// What has no name is called by what made it, without a line: baselines outlive changes of lines.
static const char *made_by(Check *c, LLVMValueRef call, const FindingFrames *where) {
  LLVMValueRef f = call_is(call) ? call_function(call) : NULL;
  const FindingFrame *own = finding_own_frame(where);
  const char *in = own ? own->function : where->len ? where->at[0].function : NULL;
  if (!in) return NULL;
  char *maker = f ? name_of_function(f) : mem_string("memory");
  const char *name = report_print(c->report, "%s in %s", maker, in);
  mem_free(maker);
  return name;
}

static const char *name_of_object(Check *c, uint32_t object, const FindingObject *out) {
  AliasObject o = alias_object(c->alias, object);
  if (o.kind == ALIAS_HEAP && o.value) {
    const char *name = made_by(c, o.value, &out->where);
    if (name) return name;
  }
  if (o.kind == ALIAS_STACK && out->thread != FINDING_NONE) {
    const char *routine = frames_routine(c->report, c->o->sigma, code_order(c->code), out->thread);
    return report_print(c->report, "local of %s", routine ? routine : out->thread ? "a thread" : "main");
  }
  char *symbol = alias_name(c->alias, object), *plain = where_name(symbol);
  const char *name = report_intern(c->report, plain);
  mem_free(symbol), mem_free(plain);
  return name;
}

static uint32_t stack_of_thread(Check *c, LLVMValueRef variable) {
  const CodeFunction *f = code_of(c->code, LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable)));
  return f && f->root ? f->thread : FINDING_NONE;
}

static void describe_object(Check *c, uint32_t object, FindingObject *out) {
  static const FindingPlace places[] = {[ALIAS_GLOBAL] = FINDING_GLOBAL,
                                        [ALIAS_THREAD_LOCAL] = FINDING_TLS,
                                        [ALIAS_STACK] = FINDING_STACK,
                                        [ALIAS_HEAP] = FINDING_HEAP,
                                        [ALIAS_HIDDEN] = FINDING_OTHER};
  AliasObject o = alias_object(c->alias, object);
  bool made = o.value && LLVMIsAInstruction(o.value);
  out->place = places[o.kind];
  out->bytes = o.size > 0 ? (uint64_t)o.size : 0;
  out->thread = made && o.kind == ALIAS_STACK ? stack_of_thread(c, o.value) : FINDING_NONE;
  if (made) frames_of(c->report, o.value, &out->where);
  out->name = name_of_object(c, object, out);
}

// -- witnesses

static uint32_t segment_of(const Check *c, Region r) {
  const Order *o = code_order(c->code);
  assert(r.thread < order_schedule(o)->threads);
  uint32_t event = code_event_before(c->code, r);
  bool own = event != SIGMA_NONE && order_schedule(o)->events.at[event].thread == r.thread;
  if (own) return order_position(o, event) + 1;
  return 0;
}

static WitnessSide side_of(const Check *c, const Access *x, Region r, const FindingAccess *a, char *name) {
  WitnessSide s = {.segment = {r.thread, segment_of(c, r)}, .name = name};
  s.writes = (x->kind & (ALIAS_WRITES | ALIAS_FREES)) != 0;
  s.bytes = x->bytes < ALIAS_REST ? (uint32_t)x->bytes : SIGMA_NONE;
  s.file = a->at.file, s.line = a->at.line, s.column = a->at.column;
  return s;
}

// Some library calls, and assembly, cannot be held there, for what they touch does not show in front of them.
static bool can_be_held(const Access *x) {
  return access_of(x->inst, (x->kind & (ALIAS_WRITES | ALIAS_FREES)) != 0, &(AccessOf){0});
}

// NULL: which instruction it was is not known, or it cannot be held, or no order of events leads there.
static Sigma *witness(Check *c, const Access *x, Region rx, const Access *y, Region ry, const Finding *f) {
  char *a = origin_of(x->inst), *b = origin_of(y->inst);
  Diags *quiet = diags_new();
  Sigma *w = NULL;
  if (a && b && can_be_held(x) && can_be_held(y))
    w = witness_make(code_order(c->code), side_of(c, x, rx, &f->a, a), side_of(c, y, ry, &f->b, b), quiet);
  diags_free(quiet);
  mem_free(a), mem_free(b);
  return w;
}

// An input with which they can meet; NULL: the recorded one, as far as that is known.
static Sigma *other_input(Check *c, const Access *x, const Access *y) {
  BvVec truths = {0};
  const BvVec *values = composer_values(c->composer);
  bool known = values->len && flow_meet_if(c->flow, x, y, values, &truths);
  Sigma *made = known ? composer_input(c->composer, &truths) : NULL;
  vec_free(&truths);
  return made;
}

static void describe_input(Check *c, const Sigma *other, Finding *f) {
  finding_input(c->report, f, c->o->sigma, c->o->schedule);
  if (other) finding_computed(c->report, f, c->o->sigma, c->o->schedule, other);
}

// other NULL: with the recorded input.
static void add_witness(Check *c, const Access *x, Region rx, const Access *y, Region ry, const Sigma *other,
                        Finding *f, size_t at) {
  Witnesses *all = &c->o->witnesses->at[at];
  Sigma *w = all->of.len < LIMIT_WITNESSES ? witness(c, x, rx, y, ry, f) : NULL;
  if (!w) {
    all->all = false;
    return;
  }
  if (!all->of.len) finding_steps(c->report, f, w);
  if (other) witness_take_input(w, other);
  Finding told = {0};
  describe_input(c, other, &told);
  vec_push(&all->of, w);
  vec_push(&all->inputs, ((WitnessInput){told.input, told.recorded, told.stdin_note}));
}

static const char *why(FlowMeeting answer) {
  switch (answer) {
    case FLOW_OVERLAP:
      return "nothing orders them, and both touch the same bytes";
    case FLOW_ANYWHERE:
      return "nothing orders them, and for one of them only the object is known, not the bytes";
    case FLOW_TOO_HARD:
      return "nothing orders them, and the solver could not decide whether their addresses can meet";
    default:
      return "nothing orders them, and nothing proves their addresses different";
  }
}

// The recorded order of atomic operations keeps them apart, and no memory order does.
static bool apart_by_order(const Check *c, Region x, Region y) {
  if (!c->o->sigma->atomics.len) return false;
  return code_before(c->code, x, y, false) || code_before(c->code, y, x, false);
}

static size_t tell(Check *c, const Access *x, Region rx, const Access *y, Region ry, uint32_t object,
                   FlowMeeting answer) {
  Finding *f = report_add(c->report);
  describe(c, x, rx, &f->a);
  describe(c, y, ry, &f->b);
  describe_object(c, object, &f->object);
  Sigma *other = other_input(c, x, y);
  f->why = other ? "nothing orders them, and with the computed input they touch the same bytes"
           : apart_by_order(c, rx, ry)
               ? "the memory orders of the atomic operations between them are too weak to order them"
               : why(answer);
  describe_input(c, other, f);
  vec_push(&f->schedules, c->o->schedule);
  if (c->o->witnesses) {
    Witnesses none = {.all = true};
    f->witness = report_print(c->report, "%zu", c->o->witnesses->len);
    vec_push(c->o->witnesses, none);
    add_witness(c, x, rx, y, ry, other, f, c->o->witnesses->len - 1);
  }
  sigma_free(other);
  return c->report->findings.len - 1;
}

// -- pairs

static bool meet(const Check *c, const Access *x, const Access *y) {
  for (vec_each(i, &x->ranges))
    for (vec_each(k, &y->ranges))
      if (alias_ranges_meet(c->alias, &x->ranges.at[i], &y->ranges.at[k])) return true;
  return false;
}

static bool is_site(const char *site, LLVMValueRef inst) {
  char *name = origin_of(inst);
  bool is = name && !strcmp(name, site);
  mem_free(name);
  return is;
}

static uint64_t key_of(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// Mutexes without a name.
static bool hold_same(Check *c, const Access *x, const Access *y, bool left_out) {
  return pair_under_one(c->flow, x, locks_latest(c->locks, x->inst, left_out), y,
                        locks_latest(c->locks, y->inst, left_out));
}

// Why a pair is none; REPORTED: it is one.
typedef enum {
  ORDERED,
  APART,
  LEFT_OUT,
  SAME_MUTEX,
  OWNED,
  HANDMADE,
  ATOMIC,
  OPERATION,
  DISTINCT,
  NEVER,
  REPORTED
} Reason;
static const char *const reasons[] = {
    [ORDERED] = "the events of the schedule order them",
    [APART] = "points-to keeps the memory apart that they touch",
    [LEFT_OUT] = "both hold a lock that the schedule leaves out",
    [SAME_MUTEX] = "both hold the same mutex",
    [OWNED] = "one thread at a time owns what they touch",
    [HANDMADE] = "one comes behind a loop that waits for the other's thread",
    [ATOMIC] = "both are atomic",
    [OPERATION] = "one is made by an operation that synchronizes",
    [DISTINCT] = "their addresses are never the same",
    [NEVER] = "one of them is never reached",
    [REPORTED] = "nothing orders them, and they may touch the same bytes: reported"};

static Reason judge(Check *c, const Access *x, const Access *y, Region *rx, Region *ry) {
  if (!pair_concurrent(c->code, x, y, rx, ry)) return ORDERED;
  c->figures->concurrent++;
  if (!meet(c, x, y)) return APART;
  c->figures->meeting++;
  if (locks_left_out(c->locks, x->inst) & locks_left_out(c->locks, y->inst)) return LEFT_OUT;
  if (hold_same(c, x, y, true)) return LEFT_OUT;
  if (locks_common(c->locks, x->inst, y->inst) || hold_same(c, x, y, false)) return SAME_MUTEX;
  if (owned_ordered(c->owned, x, y) || owned_ordered(c->owned, y, x)) return OWNED;
  return handmade_before(c->handmade, x, y) || handmade_before(c->handmade, y, x) ? HANDMADE : REPORTED;
}

static bool comes_first(Place a, Place b) {
  int files = strcmp(a.file ? a.file : "", b.file ? b.file : "");
  if (files) return files < 0;
  return a.line != b.line ? a.line < b.line : a.column <= b.column;
}

static const char *word_of(const Access *x) {
  return x->kind & ALIAS_FREES ? "free" : x->kind & ALIAS_WRITES ? "write" : "read";
}

// For --explain: each pair of places once for each reason.
static void log_pair(Check *c, uint32_t i, uint32_t k, Reason why) {
  const Access *x = accesses_at(c->accesses, i), *y = accesses_at(c->accesses, k);
  uint64_t key = key_of(c->sites.at[i], c->sites.at[k]) << 4 | why;
  if (!decisions_wanted() || map_or(c->logged, key, 0)) return;
  map_put(c->logged, key, 1);
  if (!comes_first(where(x->inst), where(y->inst))) {
    const Access *first = y;
    y = x, x = first;
  }
  Place other = where(y->inst);
  char *what = mem_format("%s, and the %s at %s:%u:%u", word_of(x), word_of(y),
                          other.file ? other.file : "an unknown place", other.line, other.column);
  decided("races", where(x->inst), what, reasons[why]);
  mem_free(what);
}

// More than a member of a structure: what synchronizes by a mutex there is in its way.
static bool overwrites(const Access *x) {
  enum { MEMBER = 16 };
  return x->bounds || x->bytes > MEMBER;
}

static Reason at_sight(const Access *x, const Access *y) {
  if (x->atomic && y->atomic) return ATOMIC;
  return (x->syncs && !overwrites(y)) || (y->syncs && !overwrites(x)) ? OPERATION : REPORTED;
}

// Of a pair of sites that is reported, other segments are looked at as long as witnesses are wanted.
static void check_pair(Check *c, uint32_t i, uint32_t k, uint32_t object) {
  assert(i < c->sites.len && k < c->sites.len && object < alias_count(c->alias));
  const Access *x = accesses_at(c->accesses, i), *y = accesses_at(c->accesses, k);
  Region rx, ry;
  uint64_t sites = key_of(c->sites.at[i], c->sites.at[k]), told = 0;
  Reason reason = at_sight(x, y);
  if (reason != REPORTED) {
    log_pair(c, i, k, reason);
    return;
  }
  bool known = map_get(c->decided, sites, &told);
  if (known && (!c->o->witnesses || !c->o->witnesses->at[told].all)) return;
  reason = judge(c, x, y, &rx, &ry);
  FlowMeeting answer = FLOW_ANYWHERE;
  if (reason == REPORTED) answer = flow_meet(c->flow, x, y, NULL);
  if (answer == FLOW_DISTINCT || answer == FLOW_NEVER) reason = answer == FLOW_NEVER ? NEVER : DISTINCT;
  log_pair(c, i, k, reason);
  if (reason != REPORTED) return;
  if (!known) {
    size_t finding = tell(c, x, rx, y, ry, object, answer);
    vec_push(&c->told, ((Told){finding, i, k}));
    map_put(c->decided, sites, c->o->witnesses ? c->o->witnesses->len - 1 : finding);
    return;
  }
  Finding *f = NULL;
  for (vec_each(n, &c->report->findings)) {
    Finding *one = &c->report->findings.at[n];
    if (one->witness && strtoul(one->witness, NULL, 10) == told) f = one;
  }
  assert(f);  // what is decided was told, and told as a finding
  bool swapped = f->a.site && c->sites.at[i] != c->sites.at[k] && !is_site(f->a.site, x->inst);
  Sigma *other = other_input(c, x, y);
  if (swapped)
    add_witness(c, y, ry, x, rx, other, f, told);
  else
    add_witness(c, x, rx, y, ry, other, f, told);
  sigma_free(other);
}

static bool is_stopped(const Check *c) {
  return c->o->stop && c->o->stop();
}

static bool is_write(const Access *x) {
  return (x->kind & (ALIAS_WRITES | ALIAS_FREES)) != 0;
}

// One write against the accesses of an object. Each pair once: not where the other one, a write too, is the
// first of the two.
typedef struct {
  Check *c;
  uint32_t write, object;
  size_t done;
} Against;

static bool goes_on(const Against *g) {
  return g->c->told.len < g->c->until && !is_stopped(g->c);
}

static void check_some(Against *g, Ids all, size_t from, size_t to) {
  for (size_t i = from; i < to && goes_on(g); ++i, ++g->done) {
    uint32_t b = all.at[i];
    bool other_way = is_write(accesses_at(g->c->accesses, b)) && b < g->write;
    if (!other_way) check_pair(g->c, g->write, b, g->object);
  }
}

// Accesses of a thread that come before the write, or behind it, are not looked at; but where each answer is
// wanted.
static void check_track(Against *g, const Track *t) {
  const Access *x = accesses_at(g->c->accesses, g->write);
  size_t from = 0, to = t->accesses.len;
  bool same = x->regions.len == 1 && x->regions.at[0].thread == t->thread;
  if (!decisions_wanted() && same) from = to;
  if (!decisions_wanted() && !same)
    track_around(t, g->c->accesses, g->c->code, &x->regions, true, &from, &to);
  g->done += from;
  check_some(g, t->accesses, from, to);
  if (goes_on(g)) g->done += t->accesses.len - to;
}

static size_t accesses_in(const Track *tracks, size_t count, Ids loose) {
  size_t n = loose.len;
  for (size_t i = 0; i < count; ++i) n += tracks[i].accesses.len;
  return n;
}

static void check_write(Check *c, uint32_t a, size_t before, uint32_t others, uint32_t object) {
  const Track *tracks;
  size_t count;
  Ids loose;
  Against g = {c, a, object, 0};
  assert(c->told.len <= c->until && c->until <= c->limit);
  tracks_of(accesses_tracks(c->accesses), others, &tracks, &count, &loose);
  for (size_t i = 0; i < count && goes_on(&g); ++i) check_track(&g, &tracks[i]);
  if (goes_on(&g)) check_some(&g, loose, 0, loose.len);
  size_t all = accesses_in(tracks, count, loose);
  c->figures->pairs += g.done - (before < g.done ? before : g.done);
  if (c->told.len == c->until) untold_add(c->untold, accesses_at(c->accesses, a), all - g.done);
}

static size_t share_of(const Check *c) {
  return (c->limit + LIMIT_PAIR_SHARES - 1) / LIMIT_PAIR_SHARES;
}

// Each pair once: by the write, or the first of two. What is beyond the limit is not compared, and one object
// that all that is known of leads to does not use it up.
static void check_lists(Check *c, uint32_t writers, uint32_t others, uint32_t object) {
  size_t share = share_of(c), before = 0;
  Ids writes = accesses_writes(c->accesses, writers);
  c->until = share < c->limit - c->told.len ? c->told.len + share : c->limit;
  for (vec_each(i, &writes))
    if (!i || writes.at[i] != writes.at[i - 1])
      check_write(c, writes.at[i], writers == others ? before++ : 0, others, object);
}

// Memory that is not known may be any that outside code may reach.
static void check_unknown(Check *c, uint32_t object) {
  if (!alias_object(c->alias, object).escaped) return;
  check_lists(c, object, 0, object);
  check_lists(c, 0, object, object);
}

// Files, what threads leave and the like are no memory of the program; arguments are, and states that a
// library keeps between calls.
static bool is_memory(const Check *c, uint32_t object) {
  static const char *const others[] = {"(file)",     "(epoll)",   "(events)", "(ended)", "(thrown)",
                                       "(specific)", "(handler)", "(ctype)",  "(buffer)"};
  AliasObject o = alias_object(c->alias, object);
  bool constant = o.kind == ALIAS_FUNCTION || (o.kind == ALIAS_GLOBAL && LLVMIsGlobalConstant(o.value));
  if (constant) return false;  // whoever writes there dies
  if (o.kind != ALIAS_HIDDEN) return true;
  char *name = alias_name(c->alias, object);
  bool is = true;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) is &= strcmp(name, others[i]) != 0;
  mem_free(name);
  return is;
}

// By where its accesses stand, not by points-to: a handler of atexit runs in whatever thread calls exit.
static bool is_touched_by_several(const Check *c, uint32_t object) {
  uint32_t one = UINT32_MAX, of[] = {object, 0};
  for (int n = 0; n < (alias_object(c->alias, object).escaped ? 2 : 1); ++n) {
    Ids all = accesses_of(c->accesses, of[n]);
    for (vec_each(i, &all)) {
      const Access *x = accesses_at(c->accesses, all.at[i]);
      for (vec_each(k, &x->regions)) {
        if (one != UINT32_MAX && one != x->regions.at[k].thread) return true;
        one = x->regions.at[k].thread;
      }
    }
  }
  return false;
}

// What is known best comes first: it names the object, and is not what the limit cuts off.
static void check_all(Check *c) {
  IdVec objects = {0};
  name_sites(c);
  for (uint32_t o = 1; o < alias_count(c->alias); ++o)
    if (alias_published(c->alias, o) && is_touched_by_several(c, o) && is_memory(c, o)) vec_push(&objects, o);
  for (vec_each(i, &objects)) check_lists(c, objects.at[i], objects.at[i], objects.at[i]);
  for (vec_each(i, &objects)) check_unknown(c, objects.at[i]);
  check_lists(c, 0, 0, 0);
  if (untold_any(c->untold) && c->o->witnesses)  // other segments may not have been looked at
    for (vec_each(i, c->o->witnesses)) c->o->witnesses->at[i].all = false;
  untold_tell(c->untold, c->limit, share_of(c), c->report);
  vec_free(&objects);
}

// -- what a run shows

static bool *places_wanted(const Check *c, bool all) {
  bool *wanted = mem_array(accesses_count(c->accesses) + 1, sizeof *wanted);
  for (size_t i = 0; i < accesses_count(c->accesses); ++i) wanted[i] = all;
  for (vec_each(i, &c->told)) wanted[c->told.at[i].a] = wanted[c->told.at[i].b] = true;
  return wanted;
}

static bool common_object(const Check *c, const Access *x, const Access *y, uint32_t *object) {
  for (vec_each(i, &x->ranges))
    for (vec_each(k, &y->ranges)) {
      const AliasRange *r = &x->ranges.at[i], *s = &y->ranges.at[k];
      *object = r->object ? r->object : s->object;
      if (alias_ranges_meet(c->alias, r, s)) return *object == 0 || is_memory(c, *object);
    }
  return false;
}

// Clones of two places, until they are told.
static void check_places(Check *c, Ids some, Ids others) {
  uint32_t object;
  size_t before = c->told.len;
  for (vec_each(i, &some))
    for (vec_each(k, &others)) {
      const Access *x = accesses_at(c->accesses, some.at[i]), *y = accesses_at(c->accesses, others.at[k]);
      if (c->told.len > before || is_stopped(c)) return;
      if (map_or(c->decided, key_of(c->sites.at[some.at[i]], c->sites.at[others.at[k]]), SIZE_MAX) !=
          SIZE_MAX)
        return;
      if (common_object(c, x, y, &object)) check_pair(c, some.at[i], others.at[k], object);
    }
}

// What was not looked at for the limit, and touches the same bytes, is looked at all the same.
static void look(Check *c) {
  bool cut = untold_any(c->untold);
  if (!c->told.len || c->o->watch <= 0 || is_stopped(c)) return;
  bool *wanted = places_wanted(c, cut);
  Seen *seen = seen_new(c->o, c->accesses, wanted, c->report);
  Ids some, others;
  for (size_t n = 0; seen && cut && n < c->limit && seen_pair(seen, n, &some, &others); ++n)
    check_places(c, some, others);
  for (size_t i = 0; seen && i < c->told.len; ++i) {
    Finding *f = &c->report->findings.at[c->told.at[i].finding];
    f->seen = seen_of(seen, c->told.at[i].a, c->told.at[i].b);
    if (f->seen == FINDING_ATOMICS && !c->o->sigma->atomics.len)
      f->why = "no event orders them; atomic operations may, but they were not recorded (--atomics all)";
  }
  seen_free(seen);
  mem_free(wanted);
}

bool race_check(LLVMModuleRef view, const RaceOptions *o, Report *out, RaceFigures *figures, Diags *d) {
  Check c = {.o = o, .report = out, .figures = figures, .decided = map_new(), .logged = map_new()};
  Order *order = order_new(o->sigma, o->schedule, d);
  // A run that leaves its schedule is not what is asked about.
  FlowInput in = {.view = view,
                  .order = order,
                  .alias = o->alias,
                  .budget = o->budget,
                  .only_scheduled = true,
                  .dump = o->dump};
  if (order) c.flow = flow_new(&in, d);
  bool ok = c.flow != NULL;
  if (ok) {
    c.code = flow_code(c.flow), c.alias = flow_aliases(c.flow), c.accesses = flow_accesses(c.flow);
    c.composer = composer_new(c.flow);
    c.locks = locks_new(c.code);
    c.owned = owned_new(c.flow);
    c.handmade = handmade_new(c.flow);
    c.untold = untold_new(), c.limit = o->limit ? o->limit : LIMIT_PAIRS;
    figures->accesses += accesses_count(c.accesses);
    uint64_t before = figures->pairs;
    unknown_tell(c.flow, o->sigma, out);
    check_all(&c);
    look(&c);
    figures->asked += flow_figures(c.flow).asked;
    figures->unanswered += flow_figures(c.flow).unanswered;
    out->pairs += figures->pairs - before;
  }
  composer_free(c.composer), handmade_free(c.handmade), locks_free(c.locks), owned_free(c.owned),
      untold_free(c.untold);
  flow_free(c.flow);
  order_free(order);
  map_free(c.decided), map_free(c.logged);
  vec_free(&c.sites), vec_free(&c.told);
  return ok;
}

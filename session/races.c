#include "races.h"
#include "deadlocks.h"
#include "gaps.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alias/alias.h"
#include "cfspec/cfspec.h"
#include "forge/forge.h"
#include "replay/replay.h"

typedef struct {
  const FindingsWishes *o;
  Diags *d;
  Report *report;
  WitnessVec witnesses;
  FindingsFigures *figures;
  Report *earlier;             // NULL: there is no baseline
  Suppressions *suppressions;  // or NULL
  Map *tried;                  // orders that were run, of deadlocks
  Intern *names;
  double until;  // for them
} RaceSession;

// -- schedules

// What is assumed of functions that nobody knows is told once, and is what could not be looked at.
static void take_gaps(RaceSession *x, const Diags *found, bool goes_on) {
  bool fatal = false;  // the last one that is no note
  for (size_t i = 0; i < diags_count(found); ++i) {
    const Diag *g = diags_at(found, i);
    bool there = false;
    if (g->kind != DIAG_NOTE) fatal = g->kind == DIAG_ERROR && !goes_on;
    if (fatal) diag(x->d, g->kind, (Place){g->file, g->line, g->column}, "%s", g->text);
    if (fatal || g->kind == DIAG_NOTE) continue;
    FindingGap gap = {report_intern(x->report, g->text), report_intern(x->report, g->file), g->line};
    for (vec_each(k, &x->report->incomplete)) there |= x->report->incomplete.at[k].text == gap.text;
    if (!there) vec_push(&x->report->incomplete, gap);
  }
}

static bool check_deadlocks(RaceSession *x, const Sigma *s, uint32_t schedule) {
  Program l = {0};
  Diags *found = diags_new();
  WitnessVec *witnesses = x->o->replay || x->o->witnesses ? &x->witnesses : NULL;
  bool ok = program_open(x->o->app, targets_find, &l, found);
  if (ok) {
    program_suit(&l, s);
    x->report->forks |= gaps_forks(&l);
    ok = deadlocks_check(&l, s, schedule, x->o->limit, witnesses, x->report, &x->figures->deadlocks, found);
    DeadlockTries tries = {x->o->app, x->until, x->tried, x->names};
    if (ok && x->o->replay) ok = deadlocks_run(&l, s, schedule, &tries, witnesses, x->report, found);
  }
  take_gaps(x, found, false);
  if (ok) vec_push(&x->report->schedules, schedule);
  program_free(&l);
  diags_free(found);
  return ok;
}

static bool check_schedule(RaceSession *x, Sigma *s, uint32_t schedule) {
  if (x->o->deadlocks) return check_deadlocks(x, s, schedule);
  const char *app = x->o->app;
  Program l = {0};
  Diags *found = diags_new();
  bool ok = program_open(app, targets_find, &l, found);
  if (ok) program_suit(&l, s);
  if (ok) origins_mark(l.module), gaps_tell(&l, s, schedule, found), x->report->forks |= gaps_forks(&l);
  AliasOptions how = {.open = ok && targets_open(l.module, &l.app), .summaries = cfspec_view_summaries};
  RaceOptions o = {.sigma = s,
                   .schedule = schedule,
                   .alias = &how,
                   .budget = x->o->budget,
                   .limit = x->o->limit,
                   .dump = x->o->dump,
                   .app = app,
                   .watch = x->o->watch,
                   .stop = stop_wanted};
  if (x->o->replay || x->o->witnesses) o.witnesses = &x->witnesses;
  ViewResult view = ok ? specializer_view(&l, app, s, schedule, how.open,
                                          x->o->budget ? x->o->budget : LIMIT_RACE_CLONES, found)
                       : VIEW_FAILED;
  ok = view == VIEW_MADE && race_check(l.module, &o, x->report, &x->figures->races, found);
  bool unseen = view == VIEW_TOO_LARGE || view == VIEW_REFUSED;
  take_gaps(x, found, unseen);
  if (ok) vec_push(&x->report->schedules, schedule);
  program_free(&l);
  diags_free(found);
  return ok || unseen;
}

static uint32_t unfinished_threads(const Schedule *c) {
  uint32_t ended = 0;
  for (vec_each(i, &c->events)) ended += c->events.at[i].kind == SYNC_EXIT;
  return c->threads - ended;
}

static void tell_progress(const RaceSession *x, uint32_t schedule, size_t of) {
  char *text = mem_format("looking for %ss: schedule %u of %zu", x->o->deadlocks ? "deadlock" : "race",
                          schedule + 1, of);
  progress(text);
  mem_free(text);
}

// Once: a pipe can be read no second time.
static bool read_schedules(const char *file, Bytes *out, Diags *d) {
  int err = file_read(file, out);
  if (err) diag(d, DIAG_ERROR, (Place){.file = file}, "cannot be read: %s", strerror(err));
  return !err;
}

// The first one is always looked at.
static bool is_late(RaceSession *x, double begin, uint32_t schedule, size_t count) {
  if (!schedule || !x->o->seconds_checked || replay_clock() - begin < x->o->seconds_checked) return false;
  FindingGap gap = {.text =
                        report_print(x->report, "%zu of %zu schedules were not looked at for lack of time",
                                     count - schedule, count)};
  vec_push(&x->report->incomplete, gap);
  limit_reached(LIMIT_OF_RACE_CHECK);
  return true;
}

// Each with a copy of what was read: what a schedule leaves out for the budget is its own matter.
static bool check_all(RaceSession *x) {
  const char *file = x->o->sigma;
  bool ok = true;
  double share = 1, begin = replay_clock();
  size_t count = 1;
  Bytes text = {0};
  if (!read_schedules(file, &text, x->d)) return false;
  stop_catch();  // what nobody writes to may be waited for without end: that is simply left
  for (uint32_t i = 0; ok && i < count && !stop_wanted() && !is_late(x, begin, i, count); ++i) {
    Sigma *s = sigma_parse(span_of(text.at, text.len), file, x->d);
    if (!s) return progress(NULL), vec_free(&text), false;
    count = s->schedules.len;
    if (x->o->only && x->o->schedule >= count) {
      diag_error(x->d, "%s: no schedule %lu", file, x->o->schedule);
      ok = false;
    } else if (count && (!x->o->only || x->o->schedule == i)) {
      tell_progress(x, i, count);
      ok = check_schedule(x, s, i);
      x->report->unfinished += unfinished_threads(s->schedules.at[i]);
      double of = schedule_share(s->schedules.at[i]);
      share = of < share ? of : share;
    }
    sigma_free(s);
  }
  progress(NULL);
  vec_free(&text);
  x->report->scheduled_share = share;
  if (ok && !count) diag_error(x->d, "%s: contains no schedule", file);
  return ok && count;
}

// -- what is known already

static bool read_file(const char *path, Bytes *out, Diags *d) {
  int err = file_read(path, out);
  if (err) diag_error(d, "%s: %s", path, strerror(err));
  return !err;
}

// Before anything is looked at: a wrong name is told at once, not after minutes.
static bool read_known(RaceSession *x) {
  const char *path = x->o->baseline;
  Bytes text = {0};
  if (!path) return true;
  if (read_file(path, &text, x->d)) x->earlier = finding_parse(path, span_of(text.at, text.len), x->d);
  vec_free(&text);
  return x->earlier != NULL;
}

static bool read_suppressions(RaceSession *x) {
  const char *path = x->o->suppressions;
  Bytes text = {0};
  if (!path) return true;
  if (read_file(path, &text, x->d))
    x->suppressions = suppressions_parse(path, span_of(text.at, text.len), x->d);
  vec_free(&text);
  return x->suppressions != NULL;
}

static void mark(RaceSession *x) {
  Sources *sources = sources_new(x->report->directory);
  annotations_apply(x->report, sources);
  sources_free(sources);
  if (x->earlier) baseline_mark(x->report, x->earlier);
  if (!x->suppressions) return;
  suppressions_apply(x->suppressions, x->report);
  suppressions_unused(x->suppressions, x->d);
}

// -- witnesses

static bool make_directory(RaceSession *x) {
  const char *dir = x->o->witnesses;
  struct stat st;
  if (!dir || !mkdir(dir, 0777)) return true;
  int err = errno != EEXIST ? errno : !stat(dir, &st) && !S_ISDIR(st.st_mode) ? ENOTDIR : 0;
  if (err) diag_error(x->d, "%s: %s", dir, strerror(err));
  return !err;
}

static bool write_witness(RaceSession *x, Finding *f, const Witnesses *w, size_t number) {
  char *name = mem_format("%zu.sched", number), *path = file_join(x->o->witnesses, name);
  bool ok = sigma_save(w->of.at[0], path, x->d);
  if (ok) f->witness = report_intern(x->report, path);
  mem_free(path), mem_free(name);
  return ok;
}

// After one that cannot be written the others are left, and the findings are told without.
static void write_witnesses(RaceSession *x) {
  bool wanted = x->o->witnesses != NULL;
  for (vec_each(i, &x->report->findings)) {
    Finding *f = &x->report->findings.at[i];
    if (!f->witness) continue;
    const Witnesses *w = &x->witnesses.at[strtoul(f->witness, NULL, 10)];
    f->witness = NULL;
    if (wanted && w->of.len) wanted = write_witness(x, f, w, i);
  }
}

// --

static void add_gap(RaceSession *x, const char *text) {
  FindingGap gap = {.text = text};
  vec_push(&x->report->incomplete, gap);
}

// Findings are worth telling when nothing can be replayed, too.
static void replay(RaceSession *x) {
  replay_findings(x->o->app, x->report, &x->witnesses, x->o->seconds, x->d);
  if (diags_errors(x->d)) add_gap(x, "nothing could be replayed");
}

static void tell_limits(Report *r) {
  for (int i = 0; i < LIMITS; ++i)
    if (limit_count((LimitId)i))
      vec_push(&r->limits, ((FindingLimit){limits[i].name, limit_count((LimitId)i)}));
}

static bool find(RaceSession *x) {
  char *directory = getcwd(NULL, 0);
  x->report->directory = report_intern(x->report, directory);
  x->report->program = report_intern(x->report, x->o->app);
  x->report->sigma = report_intern(x->report, x->o->sigma);
  free(directory);
  if (!read_known(x) || !read_suppressions(x) || !make_directory(x) || !check_all(x)) return false;
  tell_limits(x->report);
  report_settle(x->report);
  if (x->o->replay) replay(x);
  write_witnesses(x);
  report_settle(x->report);
  mark(x);
  if (stop_wanted()) add_gap(x, "stopped by a signal before everything was checked");
  return true;
}

bool races_find(const FindingsWishes *o, Report *out, FindingsFigures *figures, Diags *d) {
  RaceSession x = {.o = o, .d = d, .report = out, .figures = figures};
  x.tried = map_new(), x.names = intern_new();
  x.until = replay_clock() + o->seconds / 2;
  bool ok = find(&x);
  map_free(x.tried), intern_free(x.names);
  witnesses_free(&x.witnesses);
  report_free(x.earlier);
  suppressions_free(x.suppressions);
  return ok;
}

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cfspec/cfspec.h"
#include "record/record.h"
#include "options.h"
#include "core/core.h"
#include "race/race.h"
#include "replay/replay.h"
#include "app/app.h"
#include "forge/forge.h"
#include "alias/alias.h"
#include "verbs.h"

enum {
  SIGMA,
  SCHEDULE,
  FORMAT,
  OUT,
  REPLAY,
  TIMEOUT,
  WITNESS,
  FAIL_ON,
  BASELINE,
  SUPPRESSIONS,
  BUDGET,
  LIMIT,
  TIMINGS
};
enum { DEFAULT_SECONDS = 50 };  // for all replays
static const Option options[] = {
    {"--sigma", "SIGMA", "the schedules"},
    {"--schedule", "N", "only this one (default: all that are complete)"},
    {"--format", "WORD", "text, json, sarif, html or github (default: text)"},
    {"-o", "FILE", "where to write; - is standard output (default: -)"},
    {"--replay", NULL, "run the program to see which of them happen"},
    {"--timeout", "SECONDS", "how long all replays may take (default: 50)"},
    {"--witness", "DIR", "write for each race a file that `specialize replay` follows"},
    {"--fail-on", "WORD", "which races make exit status 1: possible, new or replayed (default: possible)"},
    {"--baseline", "FILE", "an earlier report as JSON: what it holds is known"},
    {"--suppressions", "FILE", "races not to be told; specialize-suppressions(5)"},
    {"--budget", "N", "how many instructions to look at together (default: 400000)"},
    {"--limit", "N", "how many pairs of a schedule to tell one by one (default: 5000)"},
    {"--timings", NULL, "say what was looked at, and how much of it"}};
static const Usage usage = {
    "race",
    "APP --sigma SIGMA [--replay] [--format WORD] [-o FILE] [...]",
    "Finds the data races that the schedules of a file leave possible: two accesses to the same memory, one\n"
    "of them a write, that no enforced event orders. Runs nothing unless --replay is given. Exit status: 0 "
    "no\n"
    "race, 1 races, 3 not all could be looked at.",
    "  specialize race ./app --sigma app.sigma\n"
    "  specialize race ./app --sigma app.sigma --replay --format html -o races.html\n"
    "  specialize race ./app --sigma app.sigma --witness w && specialize replay ./app w/0.sched\n",
    options,
    sizeof options / sizeof *options};

typedef struct {
  const Parsed *p;
  Diags *d;
  Report *report;
  WitnessVec witnesses;
  RaceFigures figures;
  void (*format)(const Report *r, Bytes *out, const FindingOptions *o);
  FindingFail fail;
  unsigned long schedule, budget, limit;
  double seconds;
  Report *earlier;             // NULL: there is no baseline
  Suppressions *suppressions;  // or NULL
} Race;

// -- options

static bool read_number(Race *x, int option, unsigned long *out) {
  const char *text = x->p->value[option];
  if (!text) return true;
  bool ok = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) <= 9;
  if (ok) *out = strtoul(text, NULL, 10);
  if (!ok) diag_error(x->d, "%s %s: not a number", options[option].name, text);
  return ok;
}

static bool read_seconds(Race *x) {
  const char *text = x->p->value[TIMEOUT];
  char *end;
  x->seconds = DEFAULT_SECONDS;
  if (!text) return true;
  x->seconds = strtod(text, &end);
  bool ok = end != text && !*end && x->seconds > 0 && x->seconds <= 86400;
  if (!ok) diag_error(x->d, "--timeout %s: not a time in seconds", text);
  return ok;
}

static bool read_format(Race *x) {
  static const struct {
    const char *word;
    void (*format)(const Report *r, Bytes *out, const FindingOptions *o);
  } formats[] = {{"text", finding_text},
                 {"json", finding_json},
                 {"sarif", finding_sarif},
                 {"html", finding_html},
                 {"github", finding_github}};
  const char *word = x->p->value[FORMAT] ? x->p->value[FORMAT] : "text";
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (!strcmp(formats[i].word, word)) x->format = formats[i].format;
  if (!x->format) diag_error(x->d, "--format %s: not text, json, sarif, html or github", word);
  return x->format != NULL;
}

static bool read_options(Race *x) {
  const char *fail = x->p->value[FAIL_ON];
  bool ok = read_format(x);
  ok = read_seconds(x) && ok;
  ok = read_number(x, SCHEDULE, &x->schedule) && ok;
  ok = read_number(x, BUDGET, &x->budget) && ok;
  ok = read_number(x, LIMIT, &x->limit) && ok;
  if (ok && x->p->value[BUDGET] && !x->budget) ok = false, diag_error(x->d, "--budget 0: it is 1 at least");
  if (ok && x->p->value[LIMIT] && !x->limit) ok = false, diag_error(x->d, "--limit 0: it is 1 at least");
  if (fail && !finding_fail_parse(fail, &x->fail))
    ok = false, diag_error(x->d, "--fail-on %s: not possible, new or replayed", fail);
  if (x->fail == FAIL_REPLAYED && !x->p->value[REPLAY])
    ok = false, diag_error(x->d, "--fail-on replayed: nothing is replayed without --replay");
  return ok;
}

// -- schedules

// What is assumed of functions that nobody knows is told once, and is what could not be looked at.
static void take_gaps(Race *x, const Diags *found, bool goes_on) {
  for (size_t i = 0; i < diags_count(found); ++i) {
    const Diag *g = diags_at(found, i);
    bool there = false;
    if (g->kind == DIAG_ERROR && !goes_on) {
      diag(x->d, DIAG_ERROR, (Place){g->file, g->line, g->column}, "%s", g->text);
      continue;
    }
    if (g->kind == DIAG_NOTE) continue;
    FindingGap gap = {report_intern(x->report, g->text), report_intern(x->report, g->file), g->line};
    for (vec_each(k, &x->report->incomplete)) there |= x->report->incomplete.at[k].text == gap.text;
    if (!there) vec_push(&x->report->incomplete, gap);
  }
}

static bool check_schedule(Race *x, Sigma *s, uint32_t schedule) {
  const char *app = x->p->operands.at[0];
  Program l = {0};
  Diags *found = diags_new();
  bool ok = program_open(app, targets_find, &l, found);
  if (ok) origins_mark(l.module);
  AliasOptions how = {.open = ok && targets_open(l.module, &l.app.recipe),
                      .summaries = cfspec_view_summaries};
  RaceOptions o = {.sigma = s,
                   .schedule = schedule,
                   .alias = &how,
                   .budget = x->budget,
                   .limit = x->limit,
                   .stop = stop_wanted};
  if (x->p->value[REPLAY] || x->p->value[WITNESS]) o.witnesses = &x->witnesses;
  ViewResult view = ok ? specializer_view(&l, app, s, schedule, how.open, x->budget, found) : VIEW_FAILED;
  ok = view == VIEW_MADE && race_check(l.module, &o, x->report, &x->figures, found);
  take_gaps(x, found, view == VIEW_TOO_LARGE);
  if (ok) vec_push(&x->report->schedules, schedule);
  program_free(&l);
  diags_free(found);
  return ok || view == VIEW_TOO_LARGE;
}

static bool is_complete(Race *x, const Sigma *s, uint32_t schedule) {
  const Schedule *c = s->schedules.at[schedule];
  if (!c->incomplete) return true;
  FindingGap gap = {report_print(x->report, "schedule %u: its run did not come to its end", schedule),
                    report_intern(x->report, s->file), c->line};
  vec_push(&x->report->incomplete, gap);
  return false;
}

static void tell_progress(uint32_t schedule, size_t of) {
  char *text = mem_format("looking for races: schedule %u of %zu", schedule + 1, of);
  progress(text);
  mem_free(text);
}

// Once: a pipe can be read no second time.
static bool read_schedules(const char *file, Bytes *out, Diags *d) {
  int err = file_read(file, out);
  if (err) diag(d, DIAG_ERROR, (Place){.file = file}, "cannot be read: %s", strerror(err));
  return !err;
}

// Each with a copy of what was read: what a schedule leaves out for the budget is its own matter.
static bool check_all(Race *x) {
  const char *file = x->p->value[SIGMA];
  bool ok = true;
  double share = 1;
  size_t count = 1;
  Bytes text = {0};
  if (!read_schedules(file, &text, x->d)) return false;
  stop_catch();  // what nobody writes to may be waited for without end: that is simply left
  for (uint32_t i = 0; ok && i < count && !stop_wanted(); ++i) {
    Sigma *s = sigma_parse(span_of(text.at, text.len), file, x->d);
    if (!s) return progress(NULL), vec_free(&text), false;
    count = s->schedules.len;
    if (x->p->value[SCHEDULE] && x->schedule >= count) {
      diag_error(x->d, "%s: there is no schedule %lu", file, x->schedule);
      ok = false;
    } else if (count && (!x->p->value[SCHEDULE] || x->schedule == i) && is_complete(x, s, i)) {
      tell_progress(i, count);
      ok = check_schedule(x, s, i);
      double of = schedule_share(s->schedules.at[i]);
      share = of < share ? of : share;
    }
    sigma_free(s);
  }
  progress(NULL);
  vec_free(&text);
  x->report->scheduled_share = share;
  if (ok && !count) diag_error(x->d, "%s: holds no schedule", file);
  return ok && count;
}

// -- what is known already

static bool read_file(const char *path, Bytes *out, Diags *d) {
  int err = file_read(path, out);
  if (err) diag_error(d, "%s: %s", path, strerror(err));
  return !err;
}

// Before anything is looked at: a wrong name is told at once, not after minutes.
static bool read_known(Race *x) {
  const char *path = x->p->value[BASELINE];
  Bytes text = {0};
  if (!path) return true;
  if (read_file(path, &text, x->d)) x->earlier = finding_parse(path, span_of(text.at, text.len), x->d);
  vec_free(&text);
  return x->earlier != NULL;
}

static bool read_suppressions(Race *x) {
  const char *path = x->p->value[SUPPRESSIONS];
  Bytes text = {0};
  if (!path) return true;
  if (read_file(path, &text, x->d))
    x->suppressions = suppressions_parse(path, span_of(text.at, text.len), x->d);
  vec_free(&text);
  return x->suppressions != NULL;
}

static void mark(Race *x) {
  Sources *sources = sources_new(x->report->directory);
  annotations_apply(x->report, sources);
  sources_free(sources);
  if (x->earlier) baseline_mark(x->report, x->earlier);
  if (!x->suppressions) return;
  suppressions_apply(x->suppressions, x->report);
  suppressions_unused(x->suppressions, x->d);
}

// -- witnesses

static bool make_directory(Race *x) {
  const char *dir = x->p->value[WITNESS];
  struct stat st;
  if (!dir || !mkdir(dir, 0777)) return true;
  int err = errno != EEXIST ? errno : !stat(dir, &st) && !S_ISDIR(st.st_mode) ? ENOTDIR : 0;
  if (err) diag_error(x->d, "%s: %s", dir, strerror(err));
  return !err;
}

static bool write_witness(Race *x, Finding *f, const Witnesses *w, size_t number) {
  char *name = mem_format("%zu.sched", number), *path = file_join(x->p->value[WITNESS], name);
  bool ok = sigma_save(w->of.at[0], path, x->d);
  if (ok) f->witness = report_intern(x->report, path);
  mem_free(path), mem_free(name);
  return ok;
}

// After one that cannot be written the others are left, and the findings are told without.
static void write_witnesses(Race *x) {
  bool wanted = x->p->value[WITNESS] != NULL;
  for (vec_each(i, &x->report->findings)) {
    Finding *f = &x->report->findings.at[i];
    if (!f->witness) continue;
    const Witnesses *w = &x->witnesses.at[strtoul(f->witness, NULL, 10)];
    f->witness = NULL;
    if (wanted && w->of.len) wanted = write_witness(x, f, w, i);
  }
}

// --

static void add_gap(Race *x, const char *text) {
  FindingGap gap = {.text = text};
  vec_push(&x->report->incomplete, gap);
}

// Findings are worth telling when nothing can be replayed, too.
static void replay(Race *x) {
  replay_findings(x->p->operands.at[0], x->report, &x->witnesses, x->seconds, x->d);
  if (diags_errors(x->d)) add_gap(x, "nothing could be replayed");
}

static void tell(Race *x) {
  Sources *sources = sources_new(x->report->directory);
  FindingOptions o = {.sources = sources};
  const char *out = x->p->value[OUT] ? x->p->value[OUT] : "-";
  Bytes text = {0};
  o.colour = x->format == finding_text && !strcmp(out, "-") && isatty(1) && !getenv("NO_COLOR");
  x->format(x->report, &text, &o);
  write_out(out, &text, x->d);
  vec_free(&text);
  sources_free(sources);
}

static void tell_figures(const Race *x) {
  const RaceFigures *f = &x->figures;
  fprintf(stderr,
          "specialize: %zu accesses, %llu pairs, %llu not ordered, %llu of these may meet, %llu asked of the "
          "solver, %llu of these too hard: told as races\n",
          f->accesses, (unsigned long long)f->pairs, (unsigned long long)f->concurrent,
          (unsigned long long)f->meeting, (unsigned long long)f->asked, (unsigned long long)f->unanswered);
}

static int run(Race *x) {
  char *directory = getcwd(NULL, 0);
  x->report->directory = report_intern(x->report, directory);
  x->report->program = report_intern(x->report, x->p->operands.at[0]);
  x->report->sigma = report_intern(x->report, x->p->value[SIGMA]);
  free(directory);
  if (!read_options(x) || !read_known(x) || !read_suppressions(x) || !make_directory(x) || !check_all(x))
    return EXIT_USAGE;
  if (x->p->value[TIMINGS]) tell_figures(x);
  report_settle(x->report);
  if (x->p->value[REPLAY]) replay(x);
  write_witnesses(x);
  report_settle(x->report);
  mark(x);
  bool stopped = stop_wanted();
  if (stopped) add_gap(x, "stopped by a signal: not all was looked at");
  tell(x);
  return stopped ? EXIT_INCOMPLETE : finding_exit(x->report, x->fail);
}

int verb_race(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Race x = {.p = &p, .d = diags_new(), .report = report_new()};
  env_check(x.d);
  if (!p.value[SIGMA]) diag_error(x.d, "of which schedules? Give --sigma");
  status = p.value[SIGMA] ? run(&x) : EXIT_USAGE;
  witnesses_free(&x.witnesses);
  report_free(x.earlier);
  suppressions_free(x.suppressions);
  report_free(x.report);
  vec_free(&p.operands);
  return finish(x.d, status, EXIT_USAGE);
}

#include "findings_out.h"
#include "options.h"
#include "replay/replay.h"
#include "session/session.h"
#include "verbs.h"

enum {
  SIGMA,
  SCHEDULE,
  FORMAT,
  OUT,
  REPLAY,
  EVIDENCE,
  ALL,
  RUNS,
  SEED,
  TRUST,
  TIMEOUT,
  WITNESS,
  FAIL_ON,
  BASELINE,
  SUPPRESSIONS,
  BUDGET,
  LIMIT,
  TIMINGS,
  DUMP,
  EXPLAIN
};
static const Option options[] = {
    {"--sigma", "SIGMA", "the schedules", NULL},
    {"--schedule", "N", "check only this schedule (default: all schedules)", NULL},
    {"--format", "WORD", "text, json, sarif, html or github (default: text)", NULL},
    {"-o", "FILE", "output file; - is standard output (default: -)", NULL},
    {"--replay", NULL, "run the program to see which races really happen", NULL},
    {"--evidence", "WORD", "on or off: run each schedule once more to see which accesses meet (default: on)",
     NULL},
    {"--all", NULL, "show each race in full, not only those that were replayed", NULL},
    {"--runs", "N", "how often to run PROGRAM (default: as often as fits into ten runs' time, at most 20)",
     NULL},
    {"--seed", "N", "the seed of the delays in these runs (default: a new one)", NULL},
    {"--trust-environment", NULL, "let SIGMA set variables that name libraries or programs in replays", NULL},
    {"--timeout", "SECONDS", "time for all replays", &limits[LIMIT_OF_REPLAY_ALL]},
    {"--witness", "DIR", "write a witness file for each race, for `specialize replay`", NULL},
    {"--fail-on", "WORD",
     "which races give exit status 1: possible, seen, replayed or new\n(default: possible)", NULL},
    {"--baseline", "FILE", "an earlier JSON report; its races are not new", NULL},
    {"--suppressions", "FILE", "file of races to hide; see specialize-suppressions(5)", NULL},
    {"--budget", "N", "how many instructions the clones may have", &limits[LIMIT_OF_RACE_CLONES]},
    {"--limit", "N", "how many pairs of a schedule to report one by one", &limits[LIMIT_OF_PAIRS]},
    {"--timings", NULL, "print how much was checked", NULL},
    {"--dump", "FILE", "write the code of the last schedule as it is analysed, as LLVM IR", NULL},
    EXPLAIN_OPTION};
static const Usage usage = {
    "race",
    "[options] -- PROGRAM [arguments] | APP --sigma SIGMA [options]",
    "Runs PROGRAM several times, with random delays from the second run on, and looks for data races in the\n"
    "schedules of all runs; replays those it finds, and leaves nothing behind. Or finds the data races that "
    "the schedules of a file leave possible: two accesses to the same memory, one\n"
    "of them a write, that no enforced event orders. If there are any, runs the program once more for each\n"
    "schedule, held to it, to see which of them meet; --evidence off runs nothing. Exit status: 0 no race,\n"
    "1 races, 3 not all could be looked at.",
    "  specialize race -- ./app 2 100\n"
    "  specialize race ./app --sigma app.sigma\n"
    "  specialize race ./app --sigma app.sigma --replay --format html -o races.html\n"
    "  specialize race ./app --sigma app.sigma --witness w\n"
    "  specialize replay ./app w/0.sched\n",
    options,
    sizeof options / sizeof *options,
    0};

// -- PROGRAM [arguments], without schedules: they are made.
static bool is_tried(const Parsed *p) {
  return p->dashes && !p->before && !p->value[SIGMA];
}

// The files of others run nothing unless that is asked for.
static bool read_evidence(const Parsed *p, RaceWishes *o, Diags *d) {
  const char *word = p->value[EVIDENCE];
  bool off = word && !strcmp(word, "off"), on = word && !strcmp(word, "on");
  if (word && !off && !on) return diag_error(d, "--evidence must be on or off, not '%s'", word), false;
  bool own = !o->sigma || replay_is_own(o->sigma);
  if (!word && !own)
    diag_note(d, "%s belongs to another user: nothing is run; --evidence on runs it", o->sigma);
  if (!off && (on || own)) o->watch = LIMIT_EVIDENCE_RUN;
  return true;
}

static bool read_options(const Parsed *p, RaceWishes *o, FindingsOut *out, Diags *d) {
  size_t budget = 0, limit = 0, schedule = 0;
  o->app = p->operands.at[0], o->sigma = p->value[SIGMA];
  o->seconds = LIMIT_REPLAY_ALL;
  bool ok = findings_out_read(p->value[FORMAT], p->value[OUT], p->value[FAIL_ON], out, d);
  ok = options_seconds(&usage, p, TIMEOUT, &o->seconds, d) && ok;
  ok = options_number(&usage, p, SCHEDULE, 0, &schedule, d) && ok;
  ok = options_number(&usage, p, BUDGET, 1, &budget, d) && ok;
  ok = options_number(&usage, p, LIMIT, 1, &limit, d) && ok;
  ok = read_evidence(p, o, d) && ok;
  out->all = p->value[ALL] != NULL;
  bool replays = p->value[REPLAY] || is_tried(p);
  if (out->fail == FAIL_REPLAYED && !replays) ok = false, diag_error(d, "--fail-on replayed needs --replay");
  if (out->fail == FAIL_SEEN && !replays && !o->watch)
    ok = false, diag_error(d, "--fail-on seen needs --replay, or --evidence on");
  o->only = p->value[SCHEDULE] != NULL, o->schedule = schedule, o->budget = budget, o->limit = limit;
  if (p->value[TRUST]) replay_trust_environment();
  if (ok && o->sigma && (p->value[REPLAY] || o->watch)) replay_tell_owner(o->sigma, d);
  o->replay = p->value[REPLAY] != NULL, o->witnesses = p->value[WITNESS];
  o->dump = p->value[DUMP];
  o->baseline = p->value[BASELINE], o->suppressions = p->value[SUPPRESSIONS];
  return ok;
}

static void tell_figures(const RaceFigures *f) {
  fprintf(stderr,
          "specialize: %zu accesses, %llu pairs, %llu unordered, %llu of these may meet, %llu given to the "
          "solver, %llu of these undecided and reported as races\n",
          f->accesses, (unsigned long long)f->pairs, (unsigned long long)f->concurrent,
          (unsigned long long)f->meeting, (unsigned long long)f->asked, (unsigned long long)f->unanswered);
}

static bool try_program(Parsed *p, const RaceWishes *wishes, bool only_one, Reports *out,
                        RaceFigures *figures, Diags *d) {
  size_t runs = 0, seed = 0;
  bool ok = options_number(&usage, p, RUNS, 1, &runs, d);
  ok = options_number(&usage, p, SEED, 1, &seed, d) && ok;
  TryWishes o = {(char *const *)p->operands.at, runs, (uint32_t)seed, only_one, *wishes};
  o.race.replay = true;
  return ok && tries_find(&o, out, figures, d);
}

static bool find(Parsed *p, const RaceWishes *wishes, bool only_one, Reports *out, RaceFigures *figures,
                 Diags *d) {
  if (is_tried(p)) return try_program(p, wishes, only_one, out, figures, d);
  vec_push(out, report_new());
  return races_find(wishes, out->at[0], figures, d);
}

// Of several programs the worst, as far as one number can say it.
static int write_all(const FindingsOut *out, const Reports *all, Diags *d) {
  int status = EXIT_CLEAN;
  for (vec_each(i, all)) {
    int found = findings_out_write(out, all->at[i], d);
    if (found == EXIT_FINDINGS || status == EXIT_CLEAN) status = found;
  }
  return status;
}

static int run(Parsed *p, Diags *d) {
  RaceWishes wishes = {0};
  FindingsOut out = {0};
  RaceFigures figures = {0};
  Reports all = {0};
  if (!read_options(p, &wishes, &out, d)) return EXIT_USAGE;
  bool only_one = out.format != finding_text || strcmp(out.path, "-") != 0;
  bool ok = find(p, &wishes, only_one, &all, &figures, d);
  if (ok && p->value[TIMINGS]) tell_figures(&figures);
  int status = ok ? write_all(&out, &all, d) : EXIT_USAGE;
  for (vec_each(i, &all)) report_free(all.at[i]);
  vec_free(&all);
  return status;
}

static bool is_wanted(Parsed *p, Diags *d) {
  size_t operands = p->operands.len;
  vec_push(&p->operands, NULL);
  if (is_tried(p)) return true;
  if (operands > 1)
    diag_error(d, "unexpected argument: %s; to run a program: specialize race -- PROGRAM [arguments]",
               p->operands.at[1]);
  else if (!p->value[SIGMA])
    diag_error(d, "give schedules, --sigma FILE, or a program to run: -- PROGRAM [arguments]");
  else if (p->value[RUNS] || p->value[SEED])
    diag_error(d, "--runs and --seed are for -- PROGRAM [arguments]");
  else
    return true;
  return false;
}

int verb_race(int argc, char **argv) {
  Parsed p = {0};
  int status;
  bool tries = false;
  for (int i = 1; i < argc; ++i) tries |= !strcmp(argv[i], "--");
  if (!options_parse(&usage, argc, argv, 1, tries ? SIZE_MAX : 1, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  explain_begin(p.value[EXPLAIN]);
  status = is_wanted(&p, d) ? run(&p, d) : EXIT_USAGE;
  vec_free(&p.operands);
  explain_end(p.value[EXPLAIN], d);
  return finish(d, status, EXIT_USAGE);
}

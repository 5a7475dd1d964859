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
  ALL,
  RUNS,
  SEED,
  TRUST,
  TIMEOUT,
  WITNESS,
  FAIL_ON,
  BASELINE,
  SUPPRESSIONS,
  EXPLAIN
};
static const Option options[] = {
    {"--sigma", "SIGMA", "the schedules", NULL},
    {"--schedule", "N", "check only this schedule (default: all schedules)", NULL},
    {"--format", "WORD", "text, json, sarif, html or github (default: text)", NULL},
    {"-o", "FILE", "output file; - is standard output (default: -)", NULL},
    {"--replay", NULL, "run the program to see which deadlocks really happen", NULL},
    {"--all", NULL, "show each deadlock in full, not only those that were replayed", NULL},
    {"--runs", "N", "how often to run PROGRAM (default: as often as fits into ten runs' time, at most 20)",
     NULL},
    {"--seed", "N", "the seed of the delays in these runs (default: a new one)", NULL},
    {"--trust-environment", NULL, "let SIGMA set variables that name libraries or programs in replays", NULL},
    {"--timeout", "SECONDS", "time for all replays", &limits[LIMIT_OF_REPLAY_ALL]},
    {"--witness", "DIR", "write a witness file for each deadlock, for `specialize replay`", NULL},
    {"--fail-on", "WORD",
     "which deadlocks give exit status 1: possible, replayed or new\n(default: possible)", NULL},
    {"--baseline", "FILE", "an earlier JSON report; its deadlocks are not new", NULL},
    {"--suppressions", "FILE", "file of deadlocks to hide; see specialize-suppressions(5)", NULL},
    EXPLAIN_OPTION};
static const Usage usage = {"deadlock",
                            "[options] -- PROGRAM [arguments] | APP --sigma SIGMA [options]",
                            "Runs PROGRAM several times, with random delays from the second run on, and "
                            "looks for deadlocks in other\n"
                            "orders of what these runs did; replays those it finds until the program stands "
                            "still, and leaves nothing\n"
                            "behind. Or looks for them in the schedules of a file. Exit status: 0 no "
                            "deadlock, 1 deadlocks, 3 not all\n"
                            "could be looked at.",
                            "  specialize deadlock -- ./app 2 100\n"
                            "  specialize deadlock ./app --sigma app.sigma --replay\n"
                            "  specialize deadlock ./app --sigma app.sigma --witness w\n"
                            "  specialize replay ./app w/0.sched\n",
                            options,
                            sizeof options / sizeof *options,
                            0};

// -- PROGRAM [arguments], without schedules: they are made.
static bool is_tried(const Parsed *p) {
  return p->dashes && !p->before && !p->value[SIGMA];
}

static bool read_options(const Parsed *p, RaceWishes *o, FindingsOut *out, Diags *d) {
  size_t schedule = 0;
  o->deadlocks = true, o->app = p->operands.at[0], o->sigma = p->value[SIGMA];
  o->seconds = LIMIT_REPLAY_ALL;
  bool ok = findings_out_read(p->value[FORMAT], p->value[OUT], p->value[FAIL_ON], out, d);
  ok = options_seconds(&usage, p, TIMEOUT, &o->seconds, d) && ok;
  ok = options_number(&usage, p, SCHEDULE, 0, &schedule, d) && ok;
  out->all = p->value[ALL] != NULL;
  if (out->fail == FAIL_REPLAYED && !p->value[REPLAY] && !is_tried(p))
    ok = false, diag_error(d, "--fail-on replayed needs --replay");
  if (out->fail == FAIL_SEEN) ok = false, diag_error(d, "--fail-on must be possible, replayed or new");
  o->only = p->value[SCHEDULE] != NULL, o->schedule = schedule;
  if (p->value[TRUST]) replay_trust_environment();
  if (ok && o->sigma && p->value[REPLAY]) replay_tell_owner(o->sigma, d);
  o->replay = p->value[REPLAY] != NULL, o->witnesses = p->value[WITNESS];
  o->baseline = p->value[BASELINE], o->suppressions = p->value[SUPPRESSIONS];
  return ok;
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
  out->at[0]->deadlocks = true;
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
    diag_error(d, "unexpected argument: %s; to run a program: specialize deadlock -- PROGRAM [arguments]",
               p->operands.at[1]);
  else if (!p->value[SIGMA])
    diag_error(d, "give schedules, --sigma FILE, or a program to run: -- PROGRAM [arguments]");
  else if (p->value[RUNS] || p->value[SEED])
    diag_error(d, "--runs and --seed are for -- PROGRAM [arguments]");
  else
    return true;
  return false;
}

int verb_deadlock(int argc, char **argv) {
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

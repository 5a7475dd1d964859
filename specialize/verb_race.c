#include "findings_verb.h"
#include "replay/replay.h"
#include "verbs.h"

enum { EVIDENCE = FINDINGS_OWN, BUDGET, LIMIT, DUMP };
static const Option options[] = {
    FINDINGS_OPTIONS("race", "races", "possible, seen, replayed or new"),
    {"--evidence", "WORD", "on or off: run each schedule once more to see which accesses meet (default: on)",
     NULL},
    {"--budget", "N", "how many instructions the clones may have", &limits[LIMIT_OF_RACE_CLONES]},
    {"--limit", "N", "how many pairs of a schedule to report one by one", &limits[LIMIT_OF_PAIRS]},
    {"--dump", "FILE", "write the code of the last schedule as it is analysed, as LLVM IR", NULL}};
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

// The files of others run nothing unless that is asked for.
static bool read_evidence(const Parsed *p, FindingsWishes *o, Diags *d) {
  const char *word = p->value[EVIDENCE];
  bool off = word && !strcmp(word, "off"), on = word && !strcmp(word, "on");
  if (word && !off && !on) return diag_error(d, "--evidence must be on or off, not '%s'", word), false;
  bool own = !o->sigma || replay_is_own(o->sigma);
  if (!word && !own)
    diag_note(d, "%s belongs to another user: nothing is run; --evidence on runs it", o->sigma);
  if (!off && (on || own)) o->watch = LIMIT_EVIDENCE_RUN;
  return true;
}

static bool read_options(const Parsed *p, FindingsWishes *o, const FindingsOut *out, Diags *d) {
  bool ok = options_number(&usage, p, BUDGET, 1, &o->budget, d);
  ok = options_number(&usage, p, LIMIT, 1, &o->limit, d) && ok;
  ok = read_evidence(p, o, d) && ok;
  if (out->fail == FAIL_SEEN && !o->replay && !findings_tries(p) && !o->watch)
    ok = false, diag_error(d, "--fail-on seen needs --replay, or --evidence on");
  o->dump = p->value[DUMP];
  return ok;
}

static void tell_figures(const FindingsFigures *all) {
  const RaceFigures *f = &all->races;
  fprintf(stderr,
          "specialize: %zu accesses, %llu pairs, %llu unordered, %llu of these may meet, %llu given to the "
          "solver, %llu of these undecided and reported as races\n",
          f->accesses, (unsigned long long)f->pairs, (unsigned long long)f->concurrent,
          (unsigned long long)f->meeting, (unsigned long long)f->asked, (unsigned long long)f->unanswered);
}

int verb_race(int argc, char **argv) {
  static const FindingsVerb race = {&usage, read_options, tell_figures};
  return findings_verb(&race, argc, argv);
}

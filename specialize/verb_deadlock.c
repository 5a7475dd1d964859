#include "findings_verb.h"
#include "verbs.h"

enum { LIMIT = FINDINGS_OWN };
static const Option options[] = {
    FINDINGS_OPTIONS("deadlock", "deadlocks", "possible, replayed or new"),
    {"--limit", "N", "how many steps the search in a schedule may take", &limits[LIMIT_OF_DEADLOCK_STEPS]}};
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

static bool read_options(const Parsed *p, FindingsWishes *o, const FindingsOut *out, Diags *d) {
  o->deadlocks = true;
  if (out->fail == FAIL_SEEN) return diag_error(d, "--fail-on must be possible, replayed or new"), false;
  return options_number(&usage, p, LIMIT, 1, &o->limit, d);
}

static void tell_figures(const FindingsFigures *f) {
  fprintf(stderr,
          "specialize: %llu waits for a lock by threads that had others, %llu different ones, %llu steps of "
          "the search, %llu cycles looked at\n",
          (unsigned long long)f->deadlocks.waits, (unsigned long long)f->deadlocks.wishes,
          (unsigned long long)f->deadlocks.steps, (unsigned long long)f->deadlocks.cycles);
}

int verb_deadlock(int argc, char **argv) {
  static const FindingsVerb deadlock = {&usage, read_options, tell_figures};
  return findings_verb(&deadlock, argc, argv);
}

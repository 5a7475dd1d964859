#include "options.h"
#include "app/app.h"
#include "session/session.h"
#include "verbs.h"

enum { OUT, ASSUME, SEED, RUNS, LIMIT, TIME };
static const Option options[] = {
    {"-o", "SIGMA", "the file to write", NULL},
    {"--assume", "TERM", "only the inputs that fulfil TERM; docs/sigma.md describes its language", NULL},
    {"--seed", "ARG", "the first of the arguments of the first run; the others follow", NULL},
    {"--runs", "N", "give up after N runs", &limits[LIMIT_OF_ENUMERATE_RUNS]},
    {"--limit", "N", "give up after N schedules", &limits[LIMIT_OF_ENUMERATE_SCHEDULES]},
    {"--time", "SECONDS", "give up after so many seconds (default: no limit)", NULL},
};
static const Usage usage = {
    "enumerate",
    "APP -o SIGMA [--assume TERM] [--seed ARG...]",
    "Finds the schedules that the inputs of APP may need: one for all inputs that decide alike how its "
    "threads\n"
    "synchronize. APP is run in an interpreter, first with the arguments of --seed, then with inputs that no "
    "schedule\n"
    "covers yet, until all are covered. If a limit is reached before, or a run depends on more than its "
    "arguments,\n"
    "what is not covered is printed as a constraint (exit status 3); Ctrl-C keeps what was found.",
    "  specialize enumerate ./app -o app.sigma --seed 2 100\n"
    "  specialize enumerate ./app -o app.sigma --assume '(and (= argc 3) (= (atoi (argv 1)) 2))' --seed 2 "
    "100\n",
    options,
    sizeof options / sizeof *options,
    0};

static void tell(const EnumerateFound *f, const Bytes *uncovered, const char *assume, Diags *d) {
  diag_note(d, "%zu schedule%s, %zu runs, %llu questions to the solver", f->schedules,
            f->schedules == 1 ? "" : "s", f->runs, (unsigned long long)f->questions);
  if (f->complete) {
    diag_note(d, "covers: all inputs%s%s", assume ? " that fulfil " : "", assume ? assume : "");
    return;
  }
  diag_warning(d, "not all inputs are covered: %s", f->why ? f->why : "a run has no schedule");
  if (uncovered->len) diag_note(d, "not covered: %.*s", (int)uncovered->len, (const char *)uncovered->at);
}

int verb_enumerate(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1000, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  EnumerationWishes w = {.app = p.operands.at[0],
                         .sigma = p.value[OUT],
                         .assume = p.value[ASSUME],
                         .runs = LIMIT_ENUMERATE_RUNS,
                         .schedules = LIMIT_ENUMERATE_SCHEDULES};
  EnumerateFound found = {0};
  Bytes uncovered = {0};
  if (!w.sigma) diag_error(d, "-o FILE is required");
  options_number(&usage, &p, RUNS, 1, &w.runs, d);
  options_number(&usage, &p, LIMIT, 1, &w.schedules, d);
  options_seconds(&usage, &p, TIME, &w.seconds, d);
  w.seeds = p.operands.len - 1 + (p.value[SEED] != NULL);
  const char **seed = mem_array(w.seeds + 1, sizeof *seed);
  size_t n = 0;
  if (p.value[SEED]) seed[n++] = p.value[SEED];
  for (size_t i = 1; i < p.operands.len; ++i) seed[n++] = p.operands.at[i];
  w.seed = seed;
  stop_catch();
  bool ok = !diags_errors(d) && enumeration_make(&w, &found, &uncovered, d);
  if (ok) tell(&found, &uncovered, w.assume, d);
  bool complete = found.complete;
  enumerate_free(&found);
  vec_free(&uncovered), vec_free(&p.operands);
  mem_free(seed);
  return finish(d, complete ? EXIT_CLEAN : EXIT_INCOMPLETE, EXIT_USAGE);
}

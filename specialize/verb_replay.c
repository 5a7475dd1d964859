#include <stdlib.h>
#include "options.h"
#include "replay/replay.h"
#include "app/app.h"
#include "verbs.h"

enum { TRIES, TIMEOUT, JSON, TRUST };
static const Option options[] = {
    {"--tries", "N", "how often to try to hold the two accesses together", &limits[LIMIT_OF_REPLAY_TRIES]},
    {"--timeout", "SECONDS", "time for each run", &limits[LIMIT_OF_REPLAY_RUN]},
    {"--json", NULL, "print JSON for other tools; the program's own output is discarded", NULL},
    {"--trust-environment", NULL, "let WITNESS set variables that name libraries or programs", NULL}};
static const Usage usage = {"replay",
                            "APP WITNESS [--tries N] [--timeout SECONDS] [--json] [--trust-environment]",
                            "Runs APP as WITNESS says, a file of one schedule that ends with two accesses: "
                            "the events in their order, on\n"
                            "the original code, then both accesses at the same time. Says whether they met "
                            "at the same memory and what\n"
                            "followed, or why not. The program runs several times. Exit status: 1 they met, "
                            "0 with this input and order\n"
                            "they do not, 3 undecided.",
                            "  specialize replay ./app 3.sched\n",
                            options,
                            sizeof options / sizeof *options,
                            0};

static bool read_options(const Parsed *p, ReplayOptions *o, Diags *d) {
  char *end;
  *o = (ReplayOptions){.pass_output = !p->value[JSON]};
  if (p->value[TRIES]) {
    unsigned long n = strtoul(p->value[TRIES], &end, 10);
    if (*end || p->value[TRIES][0] < '1' || p->value[TRIES][0] > '9' || n > 1000)
      diag_error(d, "--tries must be a number from 1 to 1000, not '%s'", p->value[TRIES]);
    o->tries = (unsigned)n;
  }
  if (p->value[TIMEOUT]) {
    o->timeout = strtod(p->value[TIMEOUT], &end);
    if (*end || end == p->value[TIMEOUT] || !(o->timeout > 0 && o->timeout <= 86400))
      diag_error(d, "--timeout must be a time in seconds, not '%s'", p->value[TIMEOUT]);
  }
  return !diags_errors(d);
}

static int status_of(ReplayVerdict v) {
  static const int statuses[] = {EXIT_FINDINGS, EXIT_CLEAN, EXIT_INCOMPLETE, EXIT_INTERNAL};
  return statuses[v];
}

static int replay(const Parsed *p, const Sigma *w, const ReplayOptions *o, Diags *d) {
  if (p->value[TRUST]) replay_trust_environment();
  replay_tell_owner(p->operands.at[1], d);
  Replayer *r = replayer_new(p->operands.at[0], &w, 1, d);
  if (!r) return EXIT_USAGE;
  replay_lost(w, d);
  ReplayResult result = replayer_run(r, w, o);
  Bytes out = {0};
  if (p->value[JSON])
    replay_json(w, &result, &out);
  else
    replay_text(w, &result, &out);
  write_out("-", &out, d);
  int status = status_of(result.verdict);
  vec_free(&out);
  replay_result_free(&result);
  replayer_free(r);
  return status;
}

int verb_replay(int argc, char **argv) {
  Parsed p = {0};
  ReplayOptions o;
  int status;
  if (!options_parse(&usage, argc, argv, 2, 2, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  status = EXIT_USAGE;
  Sigma *w = read_options(&p, &o, d) ? sigma_read(p.operands.at[1], d) : NULL;
  if (w && replay_can(w, d)) status = replay(&p, w, &o, d);
  sigma_free(w);
  vec_free(&p.operands);
  return finish(d, status, EXIT_USAGE);
}

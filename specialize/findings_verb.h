// specialize/findings_verb -- what verbs with findings have in common: options, runs of a program, output.
//
// A verb's table of options begins with FINDINGS_OPTIONS; its own follow from FINDINGS_OWN on.
#pragma once
#include "findings_out.h"
#include "options.h"
#include "session/session.h"

enum {
  FINDINGS_SIGMA,
  FINDINGS_SCHEDULE,
  FINDINGS_FORMAT,
  FINDINGS_OUT,
  FINDINGS_REPLAY,
  FINDINGS_ALL,
  FINDINGS_RUNS,
  FINDINGS_SEED,
  FINDINGS_ATOMICS,
  FINDINGS_TRUST,
  FINDINGS_TIMEOUT,
  FINDINGS_WITNESS,
  FINDINGS_FAIL_ON,
  FINDINGS_BASELINE,
  FINDINGS_SUPPRESSIONS,
  FINDINGS_TIMINGS,
  FINDINGS_EXPLAIN,
  FINDINGS_OWN
};
// one, many: of what is found. fails: the words of --fail-on.
// clang-format off
#define FINDINGS_OPTIONS(one, many, fails)                                                                   \
  {"--sigma", "SIGMA", "the schedules", NULL},                                                               \
  {"--schedule", "N", "check only this schedule (default: all schedules)", NULL},                            \
  {"--format", "WORD", "text, json, sarif, html or github (default: text)", NULL},                           \
  {"-o", "FILE", "output file; - is standard output (default: -)", NULL},                                    \
  {"--replay", NULL, "run the program to see which " many " really happen", NULL},                           \
  {"--all", NULL, "show each " one " in full, not only those that were replayed", NULL},                     \
  {"--runs", "N", "how often to run PROGRAM (default: as often as fits into ten runs' time, at most 20)",    \
   NULL},                                                                                                    \
  {"--seed", "N", "the seed of the delays in these runs (default: a new one)", NULL},                        \
  {"--atomics", "WHAT", "atomic operations to record in these runs: none (default), all, or variables", NULL},  \
  {"--trust-environment", NULL, "let SIGMA set variables that name libraries or programs in replays", NULL}, \
  {"--timeout", "SECONDS", "time for all replays", &limits[LIMIT_OF_REPLAY_ALL]},                            \
  {"--witness", "DIR", "write a witness file for each " one ", for `specialize replay`", NULL},              \
  {"--fail-on", "WORD", "which " many " give exit status 1: " fails "\n(default: possible)", NULL},          \
  {"--baseline", "FILE", "an earlier JSON report; its " many " are not new", NULL},                          \
  {"--suppressions", "FILE", "file of " many " to hide; see specialize-suppressions(5)", NULL},              \
  {"--timings", NULL, "print how much was checked", NULL},                                                   \
  EXPLAIN_OPTION
// clang-format on

typedef struct {
  const Usage *usage;
  // Reads its own options, when the common ones are read. False after an error.
  bool (*read)(const Parsed *p, FindingsWishes *o, const FindingsOut *out, Diags *d);
  void (*timings)(const FindingsFigures *figures);
} FindingsVerb;

// -- PROGRAM [arguments], without schedules: they are made.
bool findings_tries(const Parsed *p);
int findings_verb(const FindingsVerb *v, int argc, char **argv);  // returns the exit status

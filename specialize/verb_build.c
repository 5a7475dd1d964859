#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "alias/alias.h"
#include "built.h"
#include "options.h"
#include "record/record.h"
#include "app/app.h"
#include "forge/forge.h"
#include "session/session.h"
#include "verbs.h"

enum {
  SIGMA,
  RECORD,
  OUT,
  TRUST,
  DIVERGENCE,
  ROLLED,
  BUDGET,
  EMIT_LLVM,
  DUMP,
  TIMINGS,
  CHAOS,
  JOBS,
  UNIT,
  APART,
  ALIAS,
  RACES,
  NO_DATAFLOW,
  CHECK_FACTS,
  EXPLAIN
};
static const Option options[] = {
    {"--sigma", "SIGMA", "the schedule file (required without --record)", NULL},
    {"--record", NULL, "build a program that records each of its runs instead", NULL},
    {"-o", "OUT", "the program to write (required)", NULL},
    {"--trust", NULL, "also use schedules with unproved constraints", NULL},
    {"--on-divergence", "WHAT", "when a run leaves its schedule: abort (default) or free", NULL},
    {"--rolled", NULL, "hold the original code to the schedules, without clones, whatever their size", NULL},
    {"--budget", "N", "how many instructions the clones may have", &limits[LIMIT_OF_CLONES]},
    {"--emit-llvm", "DIR", "write the LLVM IR before and after LLVM's passes to DIR", NULL},
    {"--dump", "WHAT", "print the clones' segments, their branches (cf), or both: segments,cf", NULL},
    {"--timings", NULL, "print the time of each step and the peak memory", NULL},
    {"--chaos", NULL, "link a runtime that sleeps at random, to test that schedules are enforced", NULL},
    {"-j", "N", "optimize and emit with N threads (default: one for each processor)", NULL},
    {"--unit", "N", "instructions per unit that is optimized and emitted separately", &limits[LIMIT_OF_UNIT]},
    {"--per-thread", NULL, "also clone functions that never synchronize, within the budget, to inspect them",
     NULL},
    {"--alias", NULL, "give the optimizer alias information about the clones: better code, slower build",
     NULL},
    {"--races", NULL, "also say whether every run does the same, or by which races runs may differ", NULL},
    {"--no-dataflow", NULL, "keep all tests and loads, also where the schedule makes them constant", NULL},
    {"--check-facts", NULL,
     "the program tests what data-flow specialization takes to be true, and stops if it is not", NULL},
    EXPLAIN_OPTION};
static const Usage usage = {
    "build",
    "APP --sigma SIGMA -o OUT | build --record APP -o OUT",
    "Makes one program of APP and its schedules: for an input that fits the constraint of a schedule, a "
    "copy\n"
    "of the code that is specialized to this schedule, and held to it; for all others, APP as it is.\n"
    "\n"
    "A run that leaves its schedule stops with exit status 66. With --on-divergence free it goes on as APP\n"
    "would from there, held to nothing any more.\n"
    "\n"
    "With --record: a variant of APP that records every run, a flight recorder: into the directory that the\n"
    "environment variable SPECIALIZE_DIR names, one folder a process; nothing without it. A run that is\n"
    "killed or crashes leaves what it had done. `specialize record --from DIR` makes schedules of it.",
    "  specialize build ./app --sigma app.sigma -o app.spec\n"
    "  SPECIALIZE_VERBOSE=1 ./app.spec 2 5000\n"
    "  specialize build --record ./app -o app.rec\n"
    "  SPECIALIZE_DIR=/var/tmp/runs ./app.rec\n"
    "  specialize record -o app.sigma --from /var/tmp/runs ./app\n",
    options,
    sizeof options / sizeof *options,
    0};

static bool is_dump(const char *what) {
  static const char *const all[] = {"segments", "cf", "segments,cf", "cf,segments"};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (!strcmp(what, all[i])) return true;
  return false;
}

static size_t number(const Parsed *p, int option, Diags *d) {
  const char *v = p->value[option];
  if (!v) return 0;
  size_t len = strlen(v), n = 0;
  if (!len || len > 15 || strspn(v, "0123456789") != len)
    diag_error(d, "%s must be a number, not '%s'", options[option].name, v);
  else if (!(n = strtoul(v, NULL, 10)) && option != JOBS)
    diag_error(d, "%s must be at least 1", options[option].name);
  return n;
}

static bool read_options(const Parsed *p, SpecializerOptions *o, Diags *d) {
  if (!p->value[RECORD] == !p->value[SIGMA])
    diag_error(d, "give --sigma FILE or --record");
  else if (!p->value[OUT])
    diag_error(d, "-o FILE is required");
  else if (p->value[DUMP] && !is_dump(p->value[DUMP]))
    diag_error(d, "--dump must be segments, cf or segments,cf, not '%s'", p->value[DUMP]);
  *o = (SpecializerOptions){.out = p->value[OUT],
                            .trust = p->value[TRUST],
                            .chaos = p->value[CHAOS],
                            .alias = p->value[ALIAS],
                            .emit_llvm = p->value[EMIT_LLVM],
                            .apart = p->value[APART],
                            .rolled = p->value[ROLLED],
                            .no_dataflow = p->value[NO_DATAFLOW],
                            .check_facts = p->value[CHECK_FACTS],
                            .budget = number(p, BUDGET, d),
                            .unit = number(p, UNIT, d)};
  size_t jobs = number(p, JOBS, d);
  o->jobs = jobs < LIMIT_JOBS ? (unsigned)jobs : LIMIT_JOBS;
  if (p->value[DIVERGENCE]) specializer_divergence(p->value[DIVERGENCE], "--on-divergence", &o->free, d);
  if (o->free && o->alias)
    diag_error(d,
               "--alias cannot be used with --on-divergence free: alias information holds only while the "
               "schedule is followed");
  return !diags_errors(d);
}

// The schedules took runs to make.
static bool keeps_sigma(const char *sigma, const char *out, Diags *d) {
  struct stat a, b;
  if (stat(sigma, &a) || stat(out, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino) return true;
  return diag_error(d, "-o %s would overwrite the schedule file", out), false;
}

static void tell_races(const char *app, const char *sigma, const char *out, Diags *d) {
  FindingsWishes wishes = {.app = app, .sigma = sigma};
  FindingsFigures figures = {0};
  Report *r = report_new();
  Bytes text = {0};
  if (races_find(&wishes, r, &figures, d)) report_promise(r, out, &text);
  fwrite(text.at, 1, text.len, stderr);
  vec_free(&text);
  report_free(r);
}

static void specialize(Program *l, const Parsed *p, SpecializerOptions *o, Diags *d) {
  const char *path = p->value[SIGMA], *dump = p->value[DUMP] ? p->value[DUMP] : "";
  SpecializerFigures figures = {0};
  Bytes segments = {0}, branches = {0};
  if (strstr(dump, "segments")) o->segments = &segments;
  if (strstr(dump, "cf")) o->branches = &branches;
  Sigma *s = sigma_read(path, d);
  bool ok = s && keeps_sigma(path, o->out, d) && specializer_build(l, p->operands.at[0], s, o, &figures, d);
  if (segments.len) write_out("-", &segments, d);
  if (branches.len) write_out("-", &branches, d);
  if (ok) built_tell(o, &figures);
  if (ok && p->value[TIMINGS]) built_tell_timings(o, &figures);
  if (ok && p->value[RACES]) tell_races(p->operands.at[0], path, o->out, d);
  vec_free(&segments), vec_free(&branches);
  sigma_free(s);
}

int verb_build(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  Program l = {0};
  RecorderOptions how = {0};
  SpecializerOptions o;
  const char *app = p.operands.at[0];
  env_check(d);
  explain_begin(p.value[EXPLAIN]);
  if (read_options(&p, &o, d) && program_open(app, targets_find, &l, d)) {
    if (p.value[RECORD])
      recorder_build(&l, app, o.out, &how, d);
    else
      specialize(&l, &p, &o, d);
  }
  program_free(&l);
  vec_free(&p.operands);
  explain_end(p.value[EXPLAIN], d);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}

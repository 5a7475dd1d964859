#include "options.h"
#include "report/report.h"
#include "session/session.h"
#include "verbs.h"

enum {
  SIGMA_FILE,
  SCHEDULE,
  TARGET_OF,
  CRASH,
  THREAD,
  FULL,
  WHY,
  FORMAT,
  OUT,
  TRIES,
  RUNS,
  EXPECTED,
  PATH_SLICE
};
static const Option options[] = {
    {"--sigma", "SIGMA", "the file with the recorded run", NULL},
    {"--schedule", "N", "which run: schedule N (default: 0)", NULL},
    {"--target", "WHAT",
     "what to explain: FILE:LINE[:COLUMN], several with commas between; sync, all\nsynchronization; or "
     "value, what "
     "was printed last",
     NULL},
    {"--crash", NULL, "explain how the run died or failed (default)", NULL},
    {"--thread", "N", "the target as thread N executed it last (default: any thread)", NULL},
    {"--full", NULL, "show the source too, with the reason why each line is in the slice", NULL},
    {"--why", "FILE:LINE", "show only the chain from the target to this line, or why it is not in the slice",
     NULL},
    {"--format", "WORD", "text, json or sarif (default: text)", NULL},
    {"-o", "FILE", "output file; - is standard output (default: -)", NULL},
    {"--tries", "N", "try so many orders of what the schedule leaves open", &limits[LIMIT_OF_SLICE_TRIES]},
    {"--runs", "N", "run PROGRAM so often, until it fails", &limits[LIMIT_OF_SLICE_RUNS]},
    {"--expected", "FILE", "what the run should have printed: it printed something else", NULL},
    {"--path-slice", NULL, "keep branches too whose other way might have mattered", NULL}};
static const Usage usage = {
    "slice",
    "APP --sigma SIGMA [--schedule N] [options] | [options] -- PROGRAM [arguments]",
    "Shows how something in a recorded run came about: which statements, in which threads and in\n"
    "which order, caused a crash, a failed assertion or a value. Executes the run again in an\n"
    "interpreter and goes back from the target. The second form records PROGRAM until a run of it fails,\n"
    "and leaves nothing behind. Exit status: 3 if the run could not be followed to\n"
    "its end.",
    "  specialize slice -- ./app 2 100\n"
    "  specialize slice ./app --sigma app.sigma --crash\n"
    "  specialize slice ./app --sigma app.sigma --target app.c:42 --full\n"
    "  specialize slice ./app --sigma app.sigma --target value --why app.c:17\n",
    options,
    sizeof options / sizeof *options,
    0};

typedef void Format(const SliceReport *r, Bytes *out, const SliceFormat *f);

static Format *format_named(const char *name, Diags *d) {
  if (!name || !strcmp(name, "text")) return slice_text;
  if (!strcmp(name, "json")) return slice_json;
  if (!strcmp(name, "sarif")) return slice_sarif;
  diag_error(d, "--format must be text, json or sarif, not '%s'", name);
  return NULL;
}

static bool read_options(const Parsed *p, SliceWishes *o, Diags *d) {
  size_t schedule = 0, thread = SIGMA_NONE;
  if (p->value[TARGET_OF] && p->value[CRASH])
    return diag_error(d, "--crash and --target exclude each other"), false;
  size_t tries = 0;
  PlaceWanted place;
  bool ok = options_number(&usage, p, SCHEDULE, 0, &schedule, d);
  if (p->value[WHY] && !place_parse(p->value[WHY], &place))
    ok = false, diag_error(d, "--why must be FILE:LINE, not '%s'", p->value[WHY]);
  ok = options_number(&usage, p, TRIES, 1, &tries, d) && ok;
  o->tries = tries;
  ok = options_number(&usage, p, THREAD, 0, &thread, d) && ok;
  o->app = p->operands.at[0], o->sigma = p->value[SIGMA_FILE];
  o->schedule = (uint32_t)schedule, o->thread = (uint32_t)thread;
  o->path = p->value[PATH_SLICE] != NULL;
  o->target = p->value[TARGET_OF], o->why = p->value[WHY], o->expected = p->value[EXPECTED];
  return ok;
}

static int status_of(SliceOutcome o) {
  static const int status[] = {[SLICE_MADE] = EXIT_CLEAN,
                               [SLICE_INCOMPLETE] = EXIT_INCOMPLETE,
                               [SLICE_FAILED] = EXIT_USAGE,
                               [SLICE_WRONG] = EXIT_INTERNAL};
  return status[o];
}

static int slice(const Parsed *p, const SliceWishes *wishes, Format *format, Diags *d) {
  SliceWishes o = *wishes;
  SliceReport *r = slice_report_new();
  SliceOutcome made = slices_make(&o, r, d);
  if (made != SLICE_FAILED) {
    Bytes out = {0};
    SliceFormat how = {.full = p->value[FULL] != NULL, .sources = sources_new(r->directory)};
    format(r, &out, &how);
    write_out(p->value[OUT] ? p->value[OUT] : "-", &out, d);
    sources_free(how.sources);
    vec_free(&out);
  }
  slice_report_free(r);
  return status_of(made);
}

// -- PROGRAM [arguments]: a run that fails is recorded first.
static int slice_failing(Parsed *p, SliceWishes *o, Format *format, Diags *d) {
  size_t runs = LIMIT_SLICE_RUNS;
  Failing f = {0};
  int status = EXIT_USAGE;
  vec_push(&p->operands, NULL);
  if (options_number(&usage, p, RUNS, 1, &runs, d) &&
      failing_run((char *const *)p->operands.at, runs, &f, d)) {
    o->app = f.program, o->sigma = f.sigma;
    status = slice(p, o, format, d);
  }
  failing_free(&f);
  return status;
}

static int run(Parsed *p, Diags *d) {
  SliceWishes o = {0};
  Format *format = format_named(p->value[FORMAT], d);
  if (!read_options(p, &o, d) || !format) return EXIT_USAGE;
  if (p->dashes && !p->before && !o.sigma) return slice_failing(p, &o, format, d);
  if (p->operands.len > 1)
    diag_error(d, "unexpected argument: %s; to run a program: specialize slice -- PROGRAM [arguments]",
               p->operands.at[1]);
  else if (!o.sigma)
    diag_error(d, "give schedules, --sigma FILE, or a program to run: -- PROGRAM [arguments]");
  else if (p->value[RUNS])
    diag_error(d, "--runs is for -- PROGRAM [arguments]");
  else
    return slice(p, &o, format, d);
  return EXIT_USAGE;
}

int verb_slice(int argc, char **argv) {
  Parsed p = {0};
  int status;
  bool runs = false;
  for (int i = 1; i < argc; ++i) runs |= !strcmp(argv[i], "--");
  if (!options_parse(&usage, argc, argv, 1, runs ? SIZE_MAX : 1, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  status = run(&p, d);
  vec_free(&p.operands);
  return finish(d, status, status == EXIT_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE);
}

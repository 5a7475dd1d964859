#include "options.h"
#include "report/report.h"
#include "session/session.h"
#include "verbs.h"

enum { SIGMA_FILE, SCHEDULE, TARGET_OF, CRASH, THREAD, FULL, WHY, FORMAT, OUT, TRIES };
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
    {"--tries", "N", "try so many orders of what the schedule leaves open", &limits[LIMIT_OF_SLICE_TRIES]}};
static const Usage usage = {
    "slice",
    "APP --sigma SIGMA [--schedule N] [options]",
    "Shows how something in a recorded run came about: which statements, in which threads and in\n"
    "which order, caused a crash, a failed assertion or a value. Executes the run again in an\n"
    "interpreter and goes back from the target. Exit status: 3 if the run could not be followed to\n"
    "its end.",
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
  if (!p->value[SIGMA_FILE]) return diag_error(d, "--sigma FILE is required"), false;
  if (p->value[TARGET_OF] && p->value[CRASH])
    return diag_error(d, "--crash and --target exclude each other"), false;
  size_t tries = 0;
  bool ok = options_number(&usage, p, SCHEDULE, 0, &schedule, d);
  ok = options_number(&usage, p, TRIES, 1, &tries, d) && ok;
  o->tries = tries;
  ok = options_number(&usage, p, THREAD, 0, &thread, d) && ok;
  o->app = p->operands.at[0], o->sigma = p->value[SIGMA_FILE];
  o->schedule = (uint32_t)schedule, o->thread = (uint32_t)thread;
  o->target = p->value[TARGET_OF], o->why = p->value[WHY];
  return ok;
}

static int status_of(SliceOutcome o) {
  static const int status[] = {[SLICE_MADE] = EXIT_CLEAN,
                               [SLICE_INCOMPLETE] = EXIT_INCOMPLETE,
                               [SLICE_FAILED] = EXIT_USAGE,
                               [SLICE_WRONG] = EXIT_INTERNAL};
  return status[o];
}

static int run(const Parsed *p, Diags *d) {
  SliceWishes o = {0};
  Format *format = format_named(p->value[FORMAT], d);
  if (!read_options(p, &o, d) || !format) return EXIT_USAGE;
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

int verb_slice(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  status = run(&p, d);
  vec_free(&p.operands);
  return finish(d, status, status == EXIT_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE);
}

#include <stdlib.h>
#include "datalog/datalog.h"
#include "options.h"
#include "verbs.h"

enum { OUT, INPUT, ORDER, TRIALS, SECONDS, NODES, EXPLAIN };
static const Option options[] = {
    {"-o", "DIR", "write the relations marked output and outputtuples to files in DIR", NULL},
    {"--input", "DIR", "read the input relations from DIR instead of the program's .basedir", NULL},
    {"--order", "ORDER", "order of BDD variables, as in .bddvarorder; search: look for a good one", NULL},
    {"--trials", "N", "runs of a search", &limits[LIMIT_OF_DATALOG_TRIALS]},
    {"--seconds", "N", "stop after N seconds; the result is then incomplete", NULL},
    {"--nodes", "N", "BDD nodes at a time, 20 bytes each", &limits[LIMIT_OF_DATALOG_NODES]},
    {"--explain", NULL, "print time and sizes by rule, and sizes by relation", NULL}};
static const Usage usage = {
    "datalog",
    "FILE [-o DIR] [--input DIR] [--order ORDER] [--trials N] [--seconds N] [--nodes N] [--explain]",
    "Solves a Datalog program in the language of bddbddb, on BDDs. Prints the sizes of its output relations\n"
    "and the answers of its queries; with -o, writes the relations.",
    "  specialize datalog pa.datalog\n"
    "  specialize datalog pa.datalog --input facts -o results\n"
    "  specialize datalog pa.datalog --order search\n",
    options,
    sizeof options / sizeof *options,
    0};

static bool read_options(const Parsed *p, DatalogOptions *o, Diags *d) {
  o->input = p->value[INPUT];
  o->order = p->value[ORDER];
  o->explain = p->value[EXPLAIN] != NULL;
  if (p->value[TRIALS] && (!o->order || strcmp(o->order, "search")))
    return diag_error(d, "--trials needs --order search"), false;
  return options_number(&usage, p, TRIALS, 1, &o->trials, d) &&
         options_number(&usage, p, NODES, 1000, &o->nodes, d) &&
         options_seconds(&usage, p, SECONDS, &o->seconds, d);
}

static void print(const Bytes *b) {
  fwrite(b->at, 1, b->len, stdout);
}

// What an incomplete run has is printed, but not written: its files would look like results.
static int solve(const Parsed *p, Datalog *program, Diags *d) {
  DatalogEnd end = datalog_solve(program, d);
  if (end == DATALOG_WRONG) return EXIT_USAGE;
  Bytes out = {0};
  datalog_print(program, &out, d);
  if (p->value[EXPLAIN]) datalog_explain(program, &out);
  print(&out);
  vec_free(&out);
  if (end == DATALOG_INCOMPLETE) {
    if (p->value[OUT]) diag_note(d, "nothing was written to %s", p->value[OUT]);
    return EXIT_INCOMPLETE;
  }
  if (p->value[OUT]) datalog_save(program, p->value[OUT], d);
  return EXIT_CLEAN;
}

int verb_datalog(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  DatalogOptions o = {0};
  stop_catch();
  Datalog *program = read_options(&p, &o, d) ? datalog_read(p.operands.at[0], &o, d) : NULL;
  if (program) status = solve(&p, program, d);
  datalog_free(program);
  vec_free(&p.operands);
  return finish(d, status, EXIT_USAGE);
}

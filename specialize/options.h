// specialize/options -- the flags of a verb, from one table: parser, and the lines of its --help.
#pragma once
#include "ir/ir.h"

typedef struct {
  const char *name;   // "--recipe" or "-o"
  const char *value;  // what its value is called, or NULL for a flag
  const char *help;
  const Limit *limit;  // whose value it sets, or NULL
} Option;

typedef struct {
  const char *verb;
  const char *usage;     // "APP [-o FILE]"
  const char *about;     // a paragraph
  const char *examples;  // lines
  const Option *options;
  size_t count;
  // SIGMA is given as an operand or as --sigma SIGMA, everywhere. Which operand it is, from 1; SIGMA_IS_OUT:
  // what -o names. 0: there is none, or an option --sigma in the table, which an operand behind the first may
  // be too.
  int sigma;
} Usage;
enum { SIGMA_IS_OUT = -1 };

// Values by the index of the option: NULL if not given, "" for a flag. Operands are not owned.
typedef struct {
  const char *value[24];
  Vec(const char *) operands;
  size_t before;      // so many operands stand before a --, or behind none
  bool dashes;        // there was one
  const char *sigma;  // inside options.c
} Parsed;

// EXIT_CLEAN: go on. Otherwise a message or the help has been printed; *status is what to return.
bool options_parse(const Usage *u, int argc, char **argv, size_t operands_min, size_t operands_max,
                   Parsed *out, int *status);
// A decimal number of at most nine digits, `least` or more; unchanged if the option was not given.
bool options_number(const Usage *u, const Parsed *p, size_t option, size_t least, size_t *out, Diags *d);
bool options_seconds(const Usage *u, const Parsed *p, size_t option, double *out, Diags *d);  // up to a day
// --explain: the log of decisions begins; at the end it goes to FILE, as JSON if that ends in .json, or as
// text to standard error.
#define EXPLAIN_OPTION                                                                             \
  {                                                                                                \
    "--explain", "[=FILE]",                                                                        \
        "say what was decided, where and why, on standard error or in FILE (.json: as JSON)", NULL \
  }
void explain_begin(const char *value);
void explain_end(const char *value, Diags *d);
// To a file, in one step or not at all; - is standard output.
void write_out(const char *name, const Bytes *b, Diags *d);
// Prints and frees the diagnostics; the status to return: `good`, or `bad` if there was an error.
int finish(Diags *d, int good, int bad);

// datalog -- analyses written as rules, solved on binary decision diagrams (BuDDy). Reads the language and
// the files of bddbddb (man specialize-datalog).
//
// In: a program (domains, relations, rules) and its input relations, from files or from memory. Out: the
// least relations that satisfy the rules, stratum by stratum, as sizes, tuples or files. In between: a
// Ruleset is what the text says (ruleset), a Plan is how each rule is computed (steps), blocks of BDD
// variables stand for the values of attributes (layout), and graph is the only file that knows how BuDDy
// reports errors.
//
// BuDDy is global to the process: between datalog_solve and datalog_free no other Datalog may be solved, and
// only one thread may use it. A result is exact, or the end says that it is not; nothing is cut silently.
#pragma once
#include "core/core.h"

typedef struct Datalog Datalog;

typedef struct {
  const char *input;  // folder of the input relations, in place of the program's .basedir; may be NULL
  const char *order;  // of variables, in place of .bddvarorder; "search": find a good one; may be NULL
  double seconds;     // 0: no budget
  size_t nodes;       // of the BDD table; 0: LIMIT_DATALOG_NODES
  size_t trials;      // of a search; 0: LIMIT_DATALOG_TRIALS
  bool explain;       // measure what datalog_explain tells
} DatalogOptions;

// NULL: the program has errors, which diags tell. Files are looked for beside `path`. options may be NULL;
// its strings must live as long as the result.
Datalog *datalog_read(const char *path, const DatalogOptions *options, Diags *diags);
Datalog *datalog_parse(const char *name, Span text, const DatalogOptions *options, Diags *diags);
void datalog_free(Datalog *d);

// Before datalog_solve: the number of values of a domain, and the rows of an input relation, attribute by
// attribute, copied. False: there is no such name, or a value is not in its domain.
bool datalog_resize(Datalog *d, const char *domain, uint64_t size);
bool datalog_give(Datalog *d, const char *relation, const uint64_t *values, size_t rows);
// The same with what a .tuples file, or a .bdd file, would hold; errors come with datalog_solve.
bool datalog_give_file(Datalog *d, const char *relation, bool bdd, Span text);

typedef enum {
  DATALOG_SOLVED,
  DATALOG_INCOMPLETE,  // a budget ran out or the user stopped it: relations may lack tuples
  DATALOG_WRONG        // an input file is wrong; nothing was computed
} DatalogEnd;
DatalogEnd datalog_solve(Datalog *d, Diags *diags);  // once

// After it. Sizes above 2^53 are rounded. A row holds a value for each attribute.
double datalog_size(Datalog *d, const char *relation);        // -1: there is no such relation
typedef bool DatalogRow(void *self, const uint64_t *values);  // false: enough
bool datalog_each(Datalog *d, const char *relation, DatalogRow *row, void *self);
void datalog_print(Datalog *d, Bytes *out, Diags *diags);  // what the program wants printed
void datalog_explain(Datalog *d, Bytes *out);              // time and sizes, by rule and relation
char *datalog_order(const Datalog *d);                     // of variables; the caller frees it
// Writes the relations marked output and outputtuples to files in dir, which is made if need be.
bool datalog_save(Datalog *d, const char *dir, Diags *diags);

// app/ld_args -- the linker's command line, split into options, values and inputs.
#pragma once
#include "run.h"

typedef enum {
  LD_OTHER,        // kept as it is
  LD_INPUT,        // a file
  LD_LIBRARY,      // -lNAME
  LD_DIRECTORY,    // -L
  LD_FILE,         // an option whose value is a file that the linker reads
  LD_OUTPUT,       // -o
  LD_SIDE_OUTPUT,  // what writes other files, or to standard output: map, trace, dependencies
  LD_RELOCATABLE,  // -r
  LD_STATE,        // -Bstatic, --push-state …: kept, and decides how -l is looked up
  LD_WRAP,         // --wrap=SYMBOL
  LD_PLUGIN,       // what loads code, and options for the code of plugins
  LD_QUERY         // --version, --help
} LdKind;
typedef struct {
  LdKind kind;
  char *before;  // the option up to its value: "-L", "--version-script=", or "-T" with `apart`
  char *value;   // NULL if it takes none
  bool apart;    // the value was an argument of its own
} LdArg;
typedef Vec(LdArg) LdArgs;

// Whether this is an option of app/link_options.def, or its opposite: up to a value behind `=`.
bool ld_word(const char *option);
void ld_args_read(const Args *expanded, LdArgs *out);
void ld_args_free(LdArgs *a);
const char *ld_value(const LdArgs *a, LdKind kind);  // of the last of its kind, or NULL
bool ld_has(const LdArgs *a, LdKind kind);
void ld_arg_add(const LdArg *arg, Args *out);

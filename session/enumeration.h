// session/enumeration -- Σ for all inputs of a program, from runs in the interpreter.
#pragma once
#include "sigma/sigma.h"
#include "symex/symex.h"

typedef struct {
  const char *app, *sigma, *assume;  // assume: text of a term; NULL
  const char *const *seed;           // arguments, without the program's name
  size_t seeds, runs, schedules;
  double seconds;
} EnumerationWishes;

// Writes the file, whatever is in it then. uncovered: text. False after an error.
bool enumeration_make(const EnumerationWishes *w, EnumerateFound *out, Bytes *uncovered, Diags *diags);

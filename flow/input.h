// flow/input -- what the constraint of a schedule says of values that main computes from its arguments and
// its environment.
#pragma once
#include "known.h"

// A decimal number that main reads from an argument, a variable of the environment or standard input.
typedef struct {
  uint32_t index;      // of the argument
  const char *name;    // of the variable, a text of the module; NULL: it is an argument
  LLVMValueRef call;   // that reads it
  LLVMValueRef where;  // the call that gave the text of a variable
  bool scanned;        // from standard input; index: the how manyth of the numbers there
  Bv value;            // as strtol gives it: of 64 bits
  bool of_int;         // the call gives 32 bits
} InputNumber;
typedef Vec(InputNumber) InputNumbers;

// Tells v. Requires that nothing was asked of it yet. Adds the numbers to out; one that is read in several
// places has the same value in all.
void input_facts(Known *v, const Code *c, const Accesses *accesses, const Sigma *s, uint32_t schedule,
                 InputNumbers *out);

// flow/number -- numbers that main reads from its input.
#pragma once
#include "solve/solve.h"
#include "ir/ir.h"

// A decimal number that main reads from an argument, a variable of the environment or standard input.
typedef struct {
  uint32_t index;      // of the argument
  const char *name;    // of the variable, a text of the module; NULL: it is an argument
  LLVMValueRef call;   // that reads it
  LLVMValueRef where;  // the call that gave the text of a variable
  bool scanned;        // from standard input; index: its position among the numbers there, from 0
  Bv value;            // as strtol gives it: of 64 bits
  bool of_int;         // the call gives 32 bits
} InputNumber;
typedef Vec(InputNumber) InputNumbers;

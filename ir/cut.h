// ir/cut -- a module cut into units that link to the same program: optimized and emitted each by itself.
#pragma once
#include <llvm-c/Core.h>
#include "core/core.h"

// Unit 0 is what is in no other. A local variable that may be in any is in the one that uses it, else in 0.
#define CUT_ANY UINT32_MAX

typedef struct {
  LLVMModuleRef module;
  const uint32_t *unit;  // by symbol, in the order of all_symbols
  uint32_t units;
  const bool *alone;  // by unit: inlines nothing of others but what always is, nor they of it; NULL: none
} CutInput;
typedef Vec(Bytes) CutUnits;

// The bitcode of each unit. What units share becomes visible to all of them and hidden from other programs;
// small functions and constants are there for the others to inline, but for those of
// unit 0, which does not. The same module and units give
// the same bytes; those of a unit depend on nothing that it does not use. Changes the module.
// NULL, or why it cannot be cut: then nothing has changed.
const char *cut_module(const CutInput *in, CutUnits *out);
void cut_free(CutUnits *u);
size_t cut_size(LLVMValueRef function);  // in instructions

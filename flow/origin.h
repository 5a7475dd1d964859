// flow/origin -- which instruction of the stored program a cloned one comes from, and by which calls it is
// reached. Sites of accesses are named function%ordinal: the ordinal counts all instructions of the function,
// from 0, llvm.dbg.* not counted.
#pragma once
#include "ir/ir.h"

void origins_mark(LLVMModuleRef m);  // of the stored module, before anything is changed
char *origin_of(LLVMValueRef inst);  // the caller frees it; NULL: not known

// The source places of an instruction and of the calls that it was inlined through, innermost first, without
// those that clones add. Texts live as long as the module.
typedef struct {
  const char *function, *directory, *file;
  uint32_t line, column;
} OriginFrame;
typedef Vec(OriginFrame) OriginFrames;
void origin_stack(LLVMValueRef inst, OriginFrames *out);

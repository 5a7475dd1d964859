// A program's module with a dispatcher, run in this process.
#pragma once
#include "cfspec/cfspec.h"

typedef int64_t Dispatcher(int argc, const char *const *argv, void *const *locals);

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  struct LLVMOpaqueExecutionEngine *engine;
  Strings bound;
  Vec(void *) bound_to;
} Jit;

// The bitcode of a C program, as objects carry it: compiled with these flags, before optimization.
Bytes jit_compile(const char *source, const char *flags);
// Dies if it does not parse.
Jit jit_open(Span bitcode);
// Where something is that the module does not define; before jit_run.
void jit_bind(Jit *j, const char *name, void *at);
// Verifies, and makes machine code: optimized by the standard passes of a level, then compiled at that level.
Dispatcher *jit_run(Jit *j, LLVMValueRef function, unsigned level);
void *jit_address(Jit *j, const char *global);
void jit_close(Jit *j);

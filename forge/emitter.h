// forge/emitter -- a specialized module as objects: cut into units, each optimized and emitted
// by itself, several at a time, or taken from the cache.
#pragma once
#include "ir/ir.h"
#include "heat.h"
#include "timings.h"

typedef struct {
  EmitOptions emit;
  const char *emit_llvm;  // a directory for the units after the passes; NULL
  unsigned jobs;          // at once; 0: a processor each
  size_t unit;            // instructions below which nothing is cut; 0: LIMIT_UNIT
} EmitterOptions;
typedef Vec(Bytes) Objects;
typedef struct {
  size_t units, kept;  // kept: how many of them came from the cache
  HeatFigures heat;
} EmitterFigures;

// Changes the module. The objects are the same for any number of jobs, from the cache or not. False with an
// error.
bool emitter_run(LLVMModuleRef m, const EmitterOptions *o, Objects *out, EmitterFigures *figures, Timings *t,
                 Diags *diags);
// The module as text, into a directory that is made if it is not there.
bool emitter_write_ir(LLVMModuleRef m, const char *dir, const char *name, Diags *diags);
void emitter_free(Objects *o);

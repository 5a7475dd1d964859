// ir/emit -- from a module to machine code, in this process.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include "core/core.h"
#include "app/app.h"

typedef struct {
  int level;  // 0 to 3
  bool pic, function_sections, data_sections;
  const char *extra_passes;  // run before the standard ones, or NULL
} EmitOptions;

// Makes the targets known to LLVM; may be called again, by any thread.
void emit_targets(void);
// As the recipe's objects were compiled. Says in diags what cannot be had again.
EmitOptions emit_options(const Recipe *r, Diags *diags);
// Dispose with LLVMDisposeTargetMachine. NULL with an error.
LLVMTargetMachineRef emit_machine(LLVMModuleRef m, const EmitOptions *o, Diags *diags);
// Passes by LLVM's names.
bool emit_passes(LLVMModuleRef m, LLVMTargetMachineRef tm, const char *passes, Diags *diags);
// What the standard passes leave to others: matrices.
bool emit_lower(LLVMModuleRef m, LLVMTargetMachineRef tm, Diags *diags);
// The standard pipeline of the level; changes the module.
bool emit_optimize(LLVMModuleRef m, LLVMTargetMachineRef tm, const EmitOptions *o, Diags *diags);
bool emit_object(LLVMModuleRef m, LLVMTargetMachineRef tm, Bytes *out, Diags *diags);

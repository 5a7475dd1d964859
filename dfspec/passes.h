// dfspec/passes -- LLVM's passes, on the clones of a schedule alone.
#pragma once
#include "ir/ir.h"

// False with an error.
bool clones_optimize(LLVMModuleRef m, uint32_t schedule, Diags *diags);

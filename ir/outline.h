// ir/outline -- the function of a family of regions, and its calls in the place of its members.
//
// Memory of the frame that only the region and its surroundings see is read when the function begins and
// written when it ends, so that passes see values. What the region computes for code behind it is returned,
// with the number of the exit that it took.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include "family.h"

// Requires that no member has been replaced yet, so write the functions of all families first.
LLVMValueRef outline_write(const Family *f, const char *name, LLVMDIBuilderRef debug);
// Of all members: of no further use then.
void outline_calls(const Family *f, LLVMValueRef function);

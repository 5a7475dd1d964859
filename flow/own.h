// flow/own -- thread-local variables as one variable for each thread, where all code that uses one of them
// belongs to one thread. Analyses then see which thread's they are.
#pragma once
#include <llvm-c/Core.h>

void own_variables(LLVMModuleRef view);
// The name in the source, of a variable that was made so; NULL: it was not. len: how much of the name it is.
const char *own_name(LLVMValueRef global, size_t *len);

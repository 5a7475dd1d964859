// flow/own -- what code of one thread can only mean: thread-local variables as one variable for each thread,
// where all code that uses one of them belongs to one thread; and of the clones of a function its own.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>

void own_variables(LLVMModuleRef view);
// Where code of one thread chooses between clones of several threads. Whether there was anything to choose.
bool own_choices(LLVMModuleRef view);
// The name in the source, of a variable that was made so; NULL: it was not. len: how much of the name it is.
const char *own_name(LLVMValueRef global, size_t *len);

// ir/borrow -- library functions that are given away as callbacks get a body, for analyses that look into code.
#pragma once
#include <llvm-c/Core.h>

// Each library function whose address is used, and of which the table of the library knows what it does, is
// replaced by a function of the module that calls it: but not where it is called itself, nor where a thread is
// created to run it.
void borrow_bodies(LLVMModuleRef m);

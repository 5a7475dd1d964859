// ir/libc -- variables of the C library, some of which have several names.
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

// The first declared variable of the module that is the same as v; v itself if it is none of the library's.
LLVMValueRef libc_variable(LLVMModuleRef m, LLVMValueRef v);
// What the program declares under this name or another of the same variable; NULL: nothing.
LLVMValueRef libc_named(LLVMModuleRef m, const char *name);
// Replaces further names of a variable by the first that is declared, so that analyses see one variable.
void libc_unify(LLVMModuleRef m);
// A variable whose address the library gives to nobody.
bool libc_keeps(const char *name);

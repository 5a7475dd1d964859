// ir/stand_in -- a function that takes the place of another one.
#pragma once
#include <llvm-c/Core.h>

// A declaration with f's name, type, linkage and attributes: what the linker sees of f from now on. f becomes
// internal, as `name.suffix`; who uses it still does.
LLVMValueRef stand_in(LLVMModuleRef m, LLVMValueRef f, const char *suffix);

// ir/linked -- symbols that the linker defines: where they are is where something else is too.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>

// Declared in the module, and defined by the linker: the beginning or end of a section, of the program's data ...
bool linked_is(LLVMValueRef global);
// Whether such a symbol may be an address in this variable of the module.
bool linked_reaches(LLVMValueRef symbol, LLVMValueRef variable);
// --defsym=symbol=expression: the name of another symbol becomes that; anything else may be any address.
void linked_define(LLVMModuleRef m, const char *symbol, const char *expression);

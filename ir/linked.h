// ir/linked -- symbols that the linker defines: where they are is where something else is too.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>

// Declared in the module, and defined by the linker: the beginning or end of a section, of the program's data
// ...
bool linked_is(LLVMValueRef global);
// Whether such a symbol may be an address in this variable of the module.
bool linked_reaches(LLVMValueRef symbol, LLVMValueRef variable);
// --defsym=symbol=expression: the name of another symbol becomes that; anything else may be any address.
void linked_define(LLVMModuleRef m, const char *symbol, const char *expression);
// The same for what a text says, of assembly or of a script of the linker: `a = b`, `.set a, b`, PROVIDE(a =
// b). Variables that stand there as labels may be parts of each other.
void linked_text(LLVMModuleRef m, const char *text, size_t len);
// For all assembly in the module.
void linked_assembly(LLVMModuleRef m);

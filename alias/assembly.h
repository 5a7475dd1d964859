// alias/assembly -- what inline assembly may do to memory, from its constraints and its text. Memory that is
// not in its operands it may touch only where it says that it clobbers memory: so GCC's manual has it, and so
// the optimizer takes it.
#pragma once
#include "ir/ir.h"

// ASM_ANYTHING: it may touch, and return, whatever has escaped, its operands too. ASM_BEHIND: the objects
// that its operands point to; what it returns comes from these or from the operands. ASM_VALUES: no memory.
typedef enum { ASM_ANYTHING, ASM_BEHIND, ASM_VALUES } AsmEffect;
// The symbols of the module that its text names; those of its operands are values.
typedef Vec(LLVMValueRef) AsmSymbols;
void assembly_symbols(LLVMModuleRef m, LLVMValueRef call, AsmSymbols *out);
// Whether any of it in functions puts data into a section, which other code may find.
bool assembly_places(LLVMModuleRef m);
AsmEffect assembly_effect(LLVMModuleRef m, LLVMValueRef call);

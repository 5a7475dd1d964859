// ir/each -- loops over what a module holds: for (all_insts(i, b)). Advance before you delete.
#pragma once
#include <llvm-c/Core.h>

#define all_from_(type, v, first, next) \
  type v = first;                       \
  v;                                    \
  v = next(v)
#define all_functions(f, m) all_from_(LLVMValueRef, f, LLVMGetFirstFunction(m), LLVMGetNextFunction)
#define all_globals(g, m) all_from_(LLVMValueRef, g, LLVMGetFirstGlobal(m), LLVMGetNextGlobal)
#define all_aliases(a, m) all_from_(LLVMValueRef, a, LLVMGetFirstGlobalAlias(m), LLVMGetNextGlobalAlias)
#define all_ifuncs(i, m) all_from_(LLVMValueRef, i, LLVMGetFirstGlobalIFunc(m), LLVMGetNextGlobalIFunc)
#define all_blocks(b, f) all_from_(LLVMBasicBlockRef, b, LLVMGetFirstBasicBlock(f), LLVMGetNextBasicBlock)
#define all_insts(i, b) all_from_(LLVMValueRef, i, LLVMGetFirstInstruction(b), LLVMGetNextInstruction)
#define all_uses(u, v) all_from_(LLVMUseRef, u, LLVMGetFirstUse(v), LLVMGetNextUse)

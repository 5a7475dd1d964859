// core/ir -- loops over what a module holds: for (all_insts(i, b)). Advance before you delete.
#pragma once
#include <llvm-c/Core.h>

#define all_functions(f, m)                 \
  LLVMValueRef f = LLVMGetFirstFunction(m); \
  f;                                        \
  f = LLVMGetNextFunction(f)
#define all_globals(g, m)                 \
  LLVMValueRef g = LLVMGetFirstGlobal(m); \
  g;                                      \
  g = LLVMGetNextGlobal(g)
#define all_aliases(a, m)                      \
  LLVMValueRef a = LLVMGetFirstGlobalAlias(m); \
  a;                                           \
  a = LLVMGetNextGlobalAlias(a)
#define all_ifuncs(i, m)                       \
  LLVMValueRef i = LLVMGetFirstGlobalIFunc(m); \
  i;                                           \
  i = LLVMGetNextGlobalIFunc(i)
#define all_blocks(b, f)                           \
  LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); \
  b;                                               \
  b = LLVMGetNextBasicBlock(b)
#define all_insts(i, b)                        \
  LLVMValueRef i = LLVMGetFirstInstruction(b); \
  i;                                           \
  i = LLVMGetNextInstruction(i)
#define all_uses(u, v)               \
  LLVMUseRef u = LLVMGetFirstUse(v); \
  u;                                 \
  u = LLVMGetNextUse(u)

// ir/inst -- the instructions of a module by name: function%ordinal. The ordinal counts all instructions of
// the function in the order of blocks, from 0; llvm.dbg.* does not count, so that -g changes no name. Names
// are those of the stored module: take them before transforming it.
#pragma once
#include <stddef.h>
#include <llvm-c/Core.h>

// NULL: no such instruction. The name of a function may itself contain %: the last one counts.
LLVMValueRef inst_find(LLVMModuleRef m, const char *name, size_t len);
char *inst_name(LLVMValueRef inst);  // the caller's; NULL: its function has no name

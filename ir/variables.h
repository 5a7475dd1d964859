// ir/variables -- what debuggers know of a function's variables, taken along when its code is copied.
#pragma once
#include <llvm-c/Core.h>

// How what records name is called in the copy.
typedef struct {
  void *data;
  LLVMValueRef (*value)(void *data, LLVMValueRef old);  // of an instruction or argument; NULL: not there
  LLVMMetadataRef (*place)(void *data, LLVMMetadataRef old);
} VariablesMove;

// Where variables are for all of the function: in what its entry reserves. The records stand before `to`
// then.
void variables_frame(LLVMValueRef function, LLVMValueRef to, const VariablesMove *how);
// What else is said before the instruction `from`, before `to`.
void variables_copy(LLVMValueRef from, LLVMValueRef to, const VariablesMove *how);

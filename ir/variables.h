// ir/variables -- what debuggers know of a function's variables, taken along when its code is copied.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>

// How what records name is called in the copy.
typedef struct {
  void *data;
  LLVMValueRef (*value)(void *data, LLVMValueRef old);  // of an instruction or argument; NULL: not there
  LLVMMetadataRef (*place)(void *data, LLVMMetadataRef old);
  bool unknown;  // a variable whose value is not there is unknown from then on; else nothing is said of it
  bool varies;   // constants of the original are not those of the copy: values that are not there
} VariablesMove;

// Where variables are for all of the function, in what its entry reserves, as far as a block says so. The
// records stand before `to` then.
void variables_frame(LLVMBasicBlockRef block, LLVMValueRef to, const VariablesMove *how);
// What is said of variables on the last stretch of code, without a choice, that leads to the end of a block.
void variables_before(LLVMBasicBlockRef block, LLVMValueRef to, const VariablesMove *how);
// What else is said before the instruction `from`, before `to`.
void variables_copy(LLVMValueRef from, LLVMValueRef to, const VariablesMove *how);

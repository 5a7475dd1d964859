#include "variables.h"
#include <assert.h>
#include "each.h"
#include "llvm_gap.h"

void variables_frame(LLVMValueRef f, LLVMValueRef to, const VariablesMove *how) {
  assert(LLVMIsAInstruction(to) && how->value && how->place);
  for (all_blocks(b, f))
    for (all_insts(i, b)) gap_copy_records(i, to, true, how);
}

void variables_copy(LLVMValueRef from, LLVMValueRef to, const VariablesMove *how) {
  assert(LLVMIsAInstruction(from) && LLVMIsAInstruction(to) && from != to);
  gap_copy_records(from, to, false, how);
}

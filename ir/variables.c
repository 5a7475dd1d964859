#include "variables.h"
#include "each.h"
#include "llvm_gap.h"

void variables_frame(LLVMValueRef f, LLVMValueRef to, const VariablesMove *how) {
  for (all_blocks(b, f))
    for (all_insts(i, b)) gap_copy_records(i, to, true, how);
}

void variables_copy(LLVMValueRef from, LLVMValueRef to, const VariablesMove *how) {
  gap_copy_records(from, to, false, how);
}

#include "variables.h"
#include <assert.h>
#include "each.h"
#include "llvm_gap.h"
#include "core/core.h"

// A long way back is not worth its time.
enum { LONGEST_STRETCH = 5000 };

void variables_frame(LLVMBasicBlockRef b, LLVMValueRef to, const VariablesMove *how) {
  assert(LLVMIsAInstruction(to) && how->value && how->place);
  for (all_insts(i, b)) gap_copy_records(i, to, true, how);
}

static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef b) {
  LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
  if (!u || LLVMGetNextUse(u) || !LLVMIsATerminatorInst(LLVMGetUser(u))) return NULL;
  return LLVMGetInstructionParent(LLVMGetUser(u));
}

void variables_before(LLVMBasicBlockRef b, LLVMValueRef to, const VariablesMove *how) {
  Vec(LLVMValueRef) back = {0};
  for (; b && back.len < LONGEST_STRETCH; b = only_predecessor(b))
    for (LLVMValueRef i = LLVMGetLastInstruction(b); i && back.len < LONGEST_STRETCH;
         i = LLVMGetPreviousInstruction(i))
      vec_push(&back, i);
  while (back.len) gap_copy_records(vec_pop(&back), to, false, how);
  vec_free(&back);
}

void variables_copy(LLVMValueRef from, LLVMValueRef to, const VariablesMove *how) {
  assert(LLVMIsAInstruction(from) && LLVMIsAInstruction(to) && from != to);
  gap_copy_records(from, to, false, how);
}

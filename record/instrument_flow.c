// Where control goes other than by calls and returns: unwinding, setjmp, branches.
#include "instrumenter.h"

static bool comes_back(LLVMValueRef i) {
  return LLVMIsALandingPadInst(i) || (LLVMIsACallInst(i) && call_returns_twice(i));
}

// How many calls are open is kept at the start; where control comes back, all opened since have been left.
void hook_unwinding(Instrumenter *k, LLVMValueRef f) {
  Vec(LLVMValueRef) places = {0};
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (comes_back(i)) vec_push(&places, i);
  if (places.len) {
    LLVMTypeRef type = LLVMFunctionType(k->i32, NULL, 0, 0);
    stand_before(k, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef kept = LLVMBuildAlloca(k->b, k->i32, "");
    stand_before(k, entry_place(f));
    LLVMValueRef depth = LLVMBuildCall2(k->b, type, hook_named(k, "rt_rec_depth", type), NULL, 0, "");
    LLVMSetVolatile(LLVMBuildStore(k->b, depth, kept), 1);  // setjmp: it must not live in a register
    for (vec_each(i, &places)) {
      LLVMValueRef p = places.at[i];
      stand_before(
          k, LLVMIsALandingPadInst(p) ? first_place(LLVMGetInstructionParent(p)) : LLVMGetNextInstruction(p));
      LLVMValueRef then = LLVMBuildLoad2(k->b, k->i32, kept, "");
      LLVMSetVolatile(then, 1);
      hook_call(k, "rt_rec_unwound", &then, 1);
    }
  }
  vec_free(&places);
}

// One number for each way out of a block that has several.
void hook_branches(Instrumenter *k) {
  Vec(LLVMValueRef) ends = {0};
  uint32_t id = 0;
  for (all_functions(f, k->m))
    for (all_blocks(b, f)) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
      if (LLVMGetNumSuccessors(end) > 1 && (LLVMIsABranchInst(end) || LLVMIsASwitchInst(end)))
        vec_push(&ends, end);
    }
  for (vec_each(i, &ends))
    for (unsigned s = 0; s < LLVMGetNumSuccessors(ends.at[i]); ++s) {
      LLVMValueRef which = number(k, ++id);
      edge_block(k, ends.at[i], s);
      hook_call(k, "rt_rec_branch", &which, 1);
    }
  vec_free(&ends);
}

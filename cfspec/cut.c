// Blocks cut in two. The head moves to a new block before it: the successors keep their predecessor, so no
// phi changes.
#include "specializer.h"
#include <assert.h>

static bool is_phi(LLVMValueRef i) {
  return LLVMIsAPHINode(i) != NULL;
}

static void lead_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  Vec(LLVMValueRef) ends = {0};
  for (all_uses(u, LLVMBasicBlockAsValue(from)))
    if (LLVMIsAInstruction(LLVMGetUser(u))) vec_push(&ends, LLVMGetUser(u));
  for (vec_each(i, &ends))
    for (unsigned n = 0; n < LLVMGetNumSuccessors(ends.at[i]); ++n)
      if (LLVMGetSuccessor(ends.at[i], n) == from) LLVMSetSuccessor(ends.at[i], n, to);
  vec_free(&ends);
}

LLVMBasicBlockRef block_cut(Module *k, LLVMValueRef at) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
  assert(!is_phi(at));
  LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(k->c, block, "");
  lead_to(block, head);
  LLVMPositionBuilderAtEnd(k->b, head);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i != at; i = next) {
    next = LLVMGetNextInstruction(i);
    size_t len;
    char *name = mem_string(LLVMGetValueName2(i, &len));
    LLVMMetadataRef where = LLVMInstructionGetDebugLoc(i);
    LLVMInstructionRemoveFromParent(i);
    LLVMSetCurrentDebugLocation2(k->b, where);
    LLVMInsertIntoBuilderWithName(k->b, i, name);
    mem_free(name);
  }
  LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(at));
  LLVMBuildBr(k->b, block);
  assert(LLVMGetFirstInstruction(block) == at);
  return head;
}

static void cut_behind_phis(Module *k, LLVMBasicBlockRef b) {
  LLVMValueRef i = LLVMGetFirstInstruction(b);
  while (is_phi(i)) i = LLVMGetNextInstruction(i);
  if (LLVMIsALandingPadInst(i)) i = LLVMGetNextInstruction(i);
  block_cut(k, i);
}

static bool must_tail(LLVMValueRef call) {
  return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

static void cut_at_event(Module *k, LLVMValueRef call) {
  LLVMValueRef before = LLVMGetPreviousInstruction(call);
  if (before) block_cut(k, call);
  if (!LLVMIsATerminatorInst(call) && !must_tail(call)) block_cut(k, LLVMGetNextInstruction(call));
}

// What an exit needs (leave.c): a block begins at each event and each call that may fork, and behind it, and
// what only the way there may hold - an exception, the result of an invoke - has a block of its own in front
// of the code behind.
void cut_for_exits(Module *k, LLVMValueRef f) {
  Vec(LLVMValueRef) events = {0};
  Vec(LLVMBasicBlockRef) hinges = {0};
  Map *seen = map_new();
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      uint32_t site = call_is(i) ? sites_id(k->sites, i) : SITE_NONE;
      if (site != SITE_NONE &&
          (pieces_event_site(k->sync, site) || k->fork_sites[site] || call_returns_twice(i)))
        vec_push(&events, i);
      for (unsigned n = 0; n < 2 && LLVMIsAInvokeInst(i); ++n) {
        LLVMBasicBlockRef to = n ? LLVMGetUnwindDest(i) : LLVMGetNormalDest(i);
        if (!map_or(seen, map_key(to), 0)) vec_push(&hinges, to);
        map_put(seen, map_key(to), 1);
      }
    }
  for (vec_each(i, &hinges)) cut_behind_phis(k, hinges.at[i]);
  for (vec_each(i, &events)) cut_at_event(k, events.at[i]);
  map_free(seen);
  vec_free(&events), vec_free(&hinges);
}

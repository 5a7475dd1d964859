#include "region.h"
#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include "call.h"
#include "each.h"

// They look at the frame that they are in, or change it.
static bool looks_at_frame(LLVMValueRef call) {
  static const char *const names[] = {
      "llvm.va_",           "llvm.stacksave",    "llvm.stackrestore",
      "llvm.returnaddress", "llvm.frameaddress", "llvm.addressofreturnaddress",
      "llvm.sponentry",     "llvm.local",        "llvm.get.dynamic.area",
      "llvm.coro",          "llvm.eh.sjlj",      "llvm.eh.recover",
      "llvm.gcroot",        "llvm.call.prealloc"};
  LLVMValueRef f = call_function(call);
  const char *name = f ? LLVMGetValueName(f) : "";
  if (strncmp(name, "llvm.", 5) != 0) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strncmp(name, names[i], strlen(names[i]))) return true;
  return false;
}

static bool call_stays(LLVMValueRef i) {
  bool musttail = LLVMIsACallInst(i) && LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail;
  return musttail || LLVMGetNumOperandBundles(i) || call_returns_twice(i) || looks_at_frame(i);
}

static bool stays(LLVMValueRef i) {
  if (LLVMIsAAllocaInst(i) || LLVMIsAIndirectBrInst(i) || LLVMIsACallBrInst(i) || LLVMIsAFuncletPadInst(i) ||
      LLVMIsACatchSwitchInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMTokenTypeKind)
    return true;
  for (unsigned n = 0, count = (unsigned)LLVMGetNumOperands(i); n < count; ++n)
    if (LLVMIsABlockAddress(LLVMGetOperand(i, n))) return true;
  return call_is(i) && call_stays(i);
}

static bool lands(LLVMBasicBlockRef b) {
  LLVMValueRef i = LLVMGetFirstInstruction(b);
  while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
  return LLVMIsALandingPadInst(i) != NULL;
}

// What names the block is a branch to it.
static bool only_branches(LLVMBasicBlockRef b) {
  for (all_uses(u, LLVMBasicBlockAsValue(b))) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!LLVMIsATerminatorInst(user) || LLVMIsAIndirectBrInst(user) || LLVMIsACallBrInst(user)) return false;
  }
  return true;
}

bool region_can_move(const Loops *l, uint32_t loop) {
  const Cfg *c = loops_cfg(l);
  Ids blocks = loop_blocks(l, loop);
  LLVMBasicBlockRef header = cfg_block(c, loop_header(l, loop));
  if (lands(header)) return false;
  for (vec_each(i, &blocks)) {
    LLVMBasicBlockRef b = cfg_block(c, blocks.at[i]);
    if (!only_branches(b)) return false;
    for (all_insts(at, b))
      if (stays(at)) return false;
    Ids succs = cfg_succs(c, blocks.at[i]);
    for (vec_each(s, &succs))
      if (!loop_has(l, loop, succs.at[s]) && lands(cfg_block(c, succs.at[s]))) return false;
  }
  return true;
}

static bool in(const Map *loop, LLVMBasicBlockRef b) {
  return map_or(loop, map_key(b), 0);
}

static void redirect(LLVMValueRef end, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  for (unsigned n = 0, count = LLVMGetNumSuccessors(end); n < count; ++n)
    if (LLVMGetSuccessor(end, n) == from) LLVMSetSuccessor(end, n, to);
}

static void take_phi(LLVMValueRef old, LLVMValueRef made) {
  if (LLVMCanValueUseFastMathFlags(old)) LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(old));
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(old));
}

static LLVMValueRef phi_before(LLVMBuilderRef b, LLVMValueRef at, LLVMValueRef like) {
  LLVMPositionBuilderBefore(b, at);
  LLVMSetCurrentDebugLocation2(b, NULL);
  LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(like), "");
  take_phi(like, phi);
  return phi;
}

// The value that comes from one side, without a phi if it is always the same.
static LLVMValueRef one_value(LLVMValueRef phi, const Map *loop, bool inside) {
  LLVMValueRef value = NULL;
  for (unsigned n = 0, count = LLVMCountIncoming(phi); n < count; ++n) {
    if (in(loop, LLVMGetIncomingBlock(phi, n)) != inside) continue;
    LLVMValueRef v = LLVMGetIncomingValue(phi, n);
    if (value && value != v) return NULL;
    value = v;
  }
  return value;
}

static void add_side(LLVMValueRef to, LLVMValueRef phi, const Map *loop, bool inside) {
  for (unsigned n = 0, count = LLVMCountIncoming(phi); n < count; ++n) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, n);
    LLVMValueRef v = LLVMGetIncomingValue(phi, n);
    if (in(loop, from) == inside) LLVMAddIncoming(to, &v, &from, 1);
  }
}

// Edges to `to` from inside the loop, or outside, go through `via`, and so do the values that they bring.
static void split_phis(LLVMBuilderRef b, LLVMBasicBlockRef to, LLVMBasicBlockRef via, const Map *loop,
                       bool inside) {
  LLVMValueRef phi = LLVMGetFirstInstruction(to), end = LLVMGetBasicBlockTerminator(via), next;
  for (; LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    LLVMValueRef value = inside ? NULL : one_value(phi, loop, inside);
    if (!value) {
      value = phi_before(b, end, phi);
      add_side(value, phi, loop, inside);
    }
    LLVMValueRef rest = phi_before(b, phi, phi);
    add_side(rest, phi, loop, !inside);
    LLVMAddIncoming(rest, &value, &via, 1);
    LLVMReplaceAllUsesWith(phi, rest);
    LLVMInstructionEraseFromParent(phi);
  }
}

static LLVMBasicBlockRef block_to(LLVMBuilderRef b, LLVMBasicBlockRef to) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(to)));
  LLVMBasicBlockRef made = LLVMInsertBasicBlockInContext(c, to, "");
  LLVMPositionBuilderAtEnd(b, made);
  LLVMSetCurrentDebugLocation2(b, NULL);
  LLVMBuildBr(b, to);
  return made;
}

static void split_before(LLVMBuilderRef b, LoopRegion *r, LLVMBasicBlockRef header, const Map *loop) {
  ValueVec ends = {0};
  for (all_uses(u, LLVMBasicBlockAsValue(header))) {
    LLVMValueRef end = LLVMGetUser(u);
    if (!in(loop, LLVMGetInstructionParent(end))) vec_push(&ends, end);
  }
  r->before = block_to(b, header);
  for (vec_each(i, &ends)) redirect(ends.at[i], header, r->before);
  split_phis(b, header, r->before, loop, false);
  vec_free(&ends);
}

static void split_exit(LLVMBuilderRef b, LoopRegion *r, LLVMBasicBlockRef to, const Map *loop) {
  LLVMBasicBlockRef made = block_to(b, to);
  for (vec_each(i, &r->blocks)) redirect(LLVMGetBasicBlockTerminator(r->blocks.at[i]), to, made);
  split_phis(b, to, made, loop, true);
  vec_push(&r->exits, made);
}

typedef struct {
  LLVMBasicBlockRef block;
  unsigned next;
} Visit;

// In the order of a walk from the header, which also finds where the ways out lead.
static void order_blocks(LoopRegion *r, LLVMBasicBlockRef header, const Map *loop, BlockVec *targets) {
  Vec(Visit) stack = {0};
  Map *seen = map_new();
  map_put(seen, map_key(header), 1);
  vec_push(&r->blocks, header);
  vec_push(&stack, ((Visit){header, 0}));
  while (stack.len) {
    Visit *v = &vec_last(&stack);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(v->block);
    if (v->next == LLVMGetNumSuccessors(end)) {
      (void)vec_pop(&stack);
      continue;
    }
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, v->next++);
    if (map_or(seen, map_key(to), 0)) continue;
    map_put(seen, map_key(to), 1);
    if (in(loop, to)) {
      vec_push(&r->blocks, to);
      vec_push(&stack, ((Visit){to, 0}));
    } else {
      vec_push(targets, to);
    }
  }
  map_free(seen);
  vec_free(&stack);
}

static void list_instructions(LoopRegion *r) {
  for (vec_each(i, &r->blocks))
    for (all_insts(at, r->blocks.at[i])) vec_push(&r->instructions, at);
  for (vec_each(i, &r->exits))
    for (LLVMValueRef at = LLVMGetFirstInstruction(r->exits.at[i]); LLVMIsAPHINode(at);
         at = LLVMGetNextInstruction(at))
      vec_push(&r->instructions, at);
}

LoopRegion region_make(const Loops *l, uint32_t loop) {
  const Cfg *c = loops_cfg(l);
  Ids blocks = loop_blocks(l, loop);
  LLVMBasicBlockRef header = cfg_block(c, loop_header(l, loop));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(cfg_function(c))));
  LoopRegion r = {0};
  Map *inside = map_new();
  BlockVec targets = {0};
  for (vec_each(i, &blocks)) map_put(inside, map_key(cfg_block(c, blocks.at[i])), 1);
  order_blocks(&r, header, inside, &targets);
  assert(r.blocks.len == blocks.len);
  split_before(b, &r, header, inside);
  for (vec_each(i, &targets)) split_exit(b, &r, targets.at[i], inside);
  list_instructions(&r);
  vec_free(&targets);
  map_free(inside);
  LLVMDisposeBuilder(b);
  return r;
}

void region_free(LoopRegion *r) {
  vec_free(&r->blocks), vec_free(&r->exits), vec_free(&r->instructions);
}

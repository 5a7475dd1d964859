// setjmp that comes back once more: by longjmp, or to run what a thread cleans up when it is cancelled. It
// comes back where it was called, which may be many segments earlier: behind each clone of the call stands a
// choice by what the thread has published meanwhile. To be told apart, jumps are published, and so are calls
// that may be left by one.
#include "specializer.h"
#include <assert.h>

void jumps_make(Cloner *c) {
  c->jumps = mem_array(c->a->steps.len + 1, sizeof *c->jumps);
  c->behind_jumps = mem_array(c->a->steps.len + 1, sizeof *c->behind_jumps);
  for (vec_each(i, &c->a->steps)) {
    if (c->a->steps.at[i].jump == SIGMA_NONE) continue;
    c->jumps[i] = LLVMAppendBasicBlockInContext(c->k->c, c->clone, "jumped");
    c->behind_jumps[i] = LLVMAppendBasicBlockInContext(c->k->c, c->clone, "");
  }
}

static LLVMValueRef number32(const Cloner *c, uint32_t n) {
  return LLVMConstInt(c->k->i32, n, 0);
}

static void event_call(Cloner *c, const char *name, uint32_t event, LLVMValueRef at) {
  Module *k = c->k;
  LLVMTypeRef type = LLVMFunctionType(k->none, &k->ptr, 1, 0);
  LLVMValueRef node = node_of(c->s, event);
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, at));
  LLVMValueRef call = LLVMBuildCall2(k->b, type, runtime_function(k, name, type, true), &node, 1, "");
  attribute_call_add(call, "nomerge");
}

LLVMBasicBlockRef jump_begins(Cloner *c, const Step *step) {
  LLVMPositionBuilderAtEnd(c->k->b, c->jumps[c->at]);
  event_call(c, "rt_enf_jump", step->jump, sites_call(c->k->sites, step->site));
  LLVMBuildBr(c->k->b, c->behind_jumps[c->at]);
  return c->behind_jumps[c->at];
}

void call_may_jump(Cloner *c, const Step *step, LLVMValueRef call) {
  if (step->jumped) event_call(c, "rt_enf_call", step->call, call);
}

static bool leads_on(const Cloner *c, size_t step, LLVMValueRef call) {
  const Step *s = &c->a->steps.at[step];
  return s->jump != SIGMA_NONE && sites_call(c->k->sites, s->site) == call;
}

// The setjmp of this block that a jump of the schedule comes back to from here on.
static LLVMValueRef target_in(const Cloner *c, LLVMBasicBlockRef b) {
  for (all_insts(i, b))
    for (size_t n = c->at; call_is(i) && call_returns_twice(i) && n < c->a->steps.len; ++n)
      if (leads_on(c, n, i)) return i;
  return NULL;
}

static LLVMValueRef published(Cloner *c) {
  Module *k = c->k;
  LLVMTypeRef type = LLVMFunctionType(k->i32, &k->i32, 1, 0);
  LLVMValueRef thread = number32(c, c->a->thread);
  return LLVMBuildCall2(k->b, type, runtime_function(k, "rt_enf_position", type, true), &thread, 1, "");
}

// Once more, and nothing has happened since the jump of the schedule.
static void add_again(Cloner *c, LLVMValueRef to, size_t n) {
  uint32_t now = order_position(c->s->order, c->a->steps.at[n].jump) + 1;
  bool next_is_jump = false;
  for (size_t i = n + 1; i < c->a->steps.len; ++i) {
    const Step *s = &c->a->steps.at[i];
    next_is_jump |=
        s->jump != SIGMA_NONE && s->site == c->a->steps.at[n].site && c->s->before[s->jump] == now;
  }
  if (!next_is_jump) LLVMAddCase(to, number32(c, now), c->behind_jumps[n]);
}

// Without an event meanwhile the jump is one within this segment.
static void choose(Cloner *c, LLVMValueRef call, LLVMBasicBlockRef normal, LLVMBasicBlockRef other) {
  uint32_t here = c->next == SIGMA_NONE ? c->s->last[c->a->thread] : c->s->before[c->next];
  bool taken = false;
  LLVMValueRef to = LLVMBuildSwitch(c->k->b, published(c), other, 4);
  for (size_t n = c->at; n < c->a->steps.len; ++n) {
    if (!leads_on(c, n, call)) continue;
    uint32_t before = c->s->before[c->a->steps.at[n].jump];
    taken |= before == here;
    LLVMAddCase(to, number32(c, before), c->jumps[n]);
  }
  for (size_t n = c->at; n < c->a->steps.len; ++n)
    if (leads_on(c, n, call)) add_again(c, to, n);
  if (!taken) LLVMAddCase(to, number32(c, here), normal);
}

void follow_jump(Cloner *c, LLVMValueRef end) {
  Module *k = c->k;
  LLVMValueRef call = target_in(c, LLVMGetInstructionParent(end));
  if (!call || !LLVMIsABranchInst(end) || LLVMIsConditional(end)) return;
  LLVMBasicBlockRef normal = LLVMAppendBasicBlockInContext(k->c, c->clone, "");
  LLVMBasicBlockRef again = LLVMAppendBasicBlockInContext(k->c, c->clone, "again");
  LLVMBasicBlockRef other = LLVMAppendBasicBlockInContext(k->c, c->clone, "diverged");
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, call));
  LLVMValueRef first = LLVMBuildIsNull(k->b, mapped(c, call), "");
  LLVMBuildCondBr(k->b, first, normal, again);
  LLVMPositionBuilderAtEnd(k->b, again);
  choose(c, call, normal, other);
  LLVMPositionBuilderAtEnd(k->b, other);
  guard_here(c, call, "a jump back to setjmp", exit_to(LLVMGetSuccessor(end, 0)));
  LLVMPositionBuilderAtEnd(k->b, normal);
}

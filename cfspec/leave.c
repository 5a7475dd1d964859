// Where a clone is left. In a program that stops, a guard is a call of the runtime that does not come back.
// In one that goes on it comes back in a free run, and then a generic copy of the function runs: the
// original's code on the memory of this clone, from the place on where it left. All values that blocks share
// are in that memory, and blocks begin at each event and behind it (cut_for_exits), so any block can be
// entered. A clone has one such copy, of those blocks only that can be reached from its exits.
#include "specializer.h"
#include <assert.h>

// The thread has done all that the schedule knows of it: the process ended meanwhile, or it was cancelled.
// What it would do next never came to be: it waits for that end.
static bool rests(const Cloner *c) {
  uint32_t t = c->a->thread;
  if (c->next == SIGMA_NONE) return !c->s->exits[t] || c->s->cancelled[t];
  return c->s->cancelled[t] && c->s->schedule->events.at[c->next].kind == SYNC_EXIT;
}

static void runtime_call(Cloner *c, const char *name, LLVMValueRef *args, unsigned n, bool comes_back) {
  Module *k = c->k;
  LLVMTypeRef types[] = {k->ptr, k->ptr}, type = LLVMFunctionType(k->none, types, n, 0);
  LLVMValueRef f = runtime_function(k, name, type, comes_back);
  attribute_set(f, "cold", true);
  attribute_set(f, "noduplicate", false);
  attribute_call_add(LLVMBuildCall2(k->b, type, f, args, n, ""), "nomerge");
}

static void tell(Cloner *c, LLVMValueRef at, const char *seen, LLVMValueRef target) {
  static const char *const names[2][3] = {{"rt_enf_stop", "rt_enf_rest", "rt_enf_stop_call"},
                                          {"rt_enf_leave", "rt_enf_stay", "rt_enf_leave_call"}};
  Module *k = c->k;
  assert(LLVMGetBasicBlockParent(LLVMGetInstructionParent(at)) == c->original);
  LLVMValueRef args[] = {edge_constant(c->s, c->a->thread, c->next, at, seen), target};
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, at));
  if (!LLVMGetCurrentDebugLocation2(k->b)) LLVMSetCurrentDebugLocation2(k->b, c->where.root);
  int how = target ? 2 : !c->quiet && rests(c);
  runtime_call(c, names[c->goes_on][how], args, target ? 2 : 1, c->goes_on);
}

static LLVMBasicBlockRef generic_block(Cloner *c, LLVMBasicBlockRef original) {
  uint64_t known;
  assert(LLVMGetBasicBlockParent(original) == c->original);
  if (map_get(c->generic_of, map_key(original), &known)) return (LLVMBasicBlockRef)(uintptr_t)known;
  LLVMBasicBlockRef b = LLVMAppendBasicBlockInContext(c->k->c, c->clone, CFSPEC_GENERIC);
  map_put(c->generic_of, map_key(original), map_key(b));
  vec_push(&c->generic, original);
  return b;
}

// A call that must be a tail call has the type of main, a clone that begins inside main has not.
static void generic_instruction(Cloner *c, LLVMValueRef i) {
  LLVMValueRef clone = clone_instruction(c, i);
  if (c->inside && LLVMIsACallInst(clone)) LLVMSetTailCallKind(clone, LLVMTailCallKindNone);
}

static void generic_end(Cloner *c, LLVMValueRef end) {
  LLVMValueRef clone = clone_instruction(c, end);
  for (unsigned n = 0; n < LLVMGetNumSuccessors(end); ++n)
    LLVMSetSuccessor(clone, n, generic_block(c, LLVMGetSuccessor(end, n)));
}

static void go_on(Cloner *c, Exit x) {
  if (x.how == EXIT_TO_BLOCK)
    LLVMBuildBr(c->k->b, generic_block(c, x.block));
  else
    generic_end(c, LLVMGetBasicBlockTerminator(x.block));
}

static void landing(Cloner *c) {
  Module *k = c->k;
  LLVMSetCurrentDebugLocation2(k->b, c->where.root);
  LLVMTypeRef pair[] = {k->ptr, k->i32};
  LLVMValueRef pad = LLVMBuildLandingPad(k->b, LLVMStructTypeInContext(k->c, pair, 2, 0), NULL, 1, "");
  LLVMAddClause(pad, LLVMConstNull(k->ptr));
}

// What comes now was not recorded, and may happen until the process ends.
static bool is_tail(const Cloner *c) {
  bool ended = c->s->exits[c->a->thread];
  return c->k->tails && !c->quiet && !ended && (c->next == SIGMA_NONE || c->stopped);
}

void guard_call(Cloner *c, LLVMValueRef at, const char *seen, LLVMValueRef target, Exit x) {
  assert((x.how == EXIT_THROUGH) == (x.piece != PIECE_NONE));
  bool tail = is_tail(c), goes_on = c->goes_on || tail;
  if (goes_on && x.how == EXIT_THROUGH) {
    const Piece *p = &c->pieces->pieces.at[x.piece];
    clone_straight(c, p);
    x.block = p->block;
  }
  if (!tail) tell(c, at, seen, target);
  if (goes_on)
    go_on(c, x);
  else
    LLVMBuildUnreachable(c->k->b);
}

void guard_here(Cloner *c, LLVMValueRef at, const char *seen, Exit x) {
  guard_call(c, at, seen, NULL, x);
}

void leave_to_original(Cloner *c, LLVMValueRef at, const char *seen) {
  assert(c->goes_on);
  tell(c, at, seen, NULL);
  stub_forward(c->k, c->clone, c->original);
}

// Any exception comes there where nobody goes on: what leaves the schedule is not to pass by unseen. Who goes
// on catches what the original does.
void guard_edge(Cloner *c, LLVMBasicBlockRef guard, LLVMValueRef from, const char *seen,
                LLVMBasicBlockRef to) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(c->k->b);
  LLVMPositionBuilderAtEnd(c->k->b, guard);
  LLVMSetCurrentDebugLocation2(c->k->b, c->where.root);
  bool lands = LLVMIsALandingPadInst(LLVMGetFirstInstruction(to)) != NULL;
  if (lands && !c->goes_on) landing(c);
  bool through = LLVMIsAInvokeInst(from) != NULL;
  guard_here(c, from, seen, through ? exit_through(pieces_block(c->pieces, to)) : exit_to(to));
  LLVMPositionBuilderAtEnd(c->k->b, here);
}

static LLVMValueRef ask_thread(Cloner *c, const char *name) {
  Module *k = c->k;
  LLVMTypeRef type = LLVMFunctionType(k->i32, &k->i32, 1, 0);
  LLVMValueRef thread = LLVMConstInt(k->i32, c->a->thread, 0);
  return LLVMBuildCall2(k->b, type, runtime_function(k, name, type, true), &thread, 1, "");
}

static LLVMValueRef ask_vforked(Cloner *c, LLVMValueRef result) {
  Module *k = c->k;
  LLVMTypeRef types[] = {k->i32, k->i32}, type = LLVMFunctionType(k->i32, types, 2, 0);
  LLVMValueRef args[] = {LLVMConstInt(k->i32, c->a->thread, 0), result};
  return LLVMBuildCall2(k->b, type, runtime_function(k, "rt_enf_vforked", type, true), args, 2, "");
}

// Goes to where `end` does, in generic code, if what is asked of the runtime says so.
static void leave_if(Cloner *c, LLVMValueRef end, const char *question, LLVMValueRef vfork) {
  Module *k = c->k;
  if (!c->goes_on || !LLVMIsABranchInst(end) || LLVMIsConditional(end)) return;
  LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(k->c, c->clone, "");
  LLVMBasicBlockRef off = LLVMAppendBasicBlockInContext(k->c, c->clone, "free");
  LLVMValueRef none = LLVMConstNull(k->ptr);
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, end));
  if (!LLVMGetCurrentDebugLocation2(k->b)) LLVMSetCurrentDebugLocation2(k->b, c->where.root);
  LLVMValueRef is = vfork ? ask_vforked(c, vfork) : ask_thread(c, question);
  LLVMBuildCondBr(k->b, LLVMBuildIsNull(k->b, is, ""), on, off);
  LLVMPositionBuilderAtEnd(k->b, off);
  runtime_call(c, "rt_enf_leave", &none, 1, true);
  LLVMBuildBr(k->b, generic_block(c, LLVMGetSuccessor(end, 0)));
  LLVMPositionBuilderAtEnd(k->b, on);
}

// Behind a call of a clone: it may have been left, or the run is free for another reason.
void leave_if_free(Cloner *c, LLVMValueRef end) {
  leave_if(c, end, "rt_enf_is_free", NULL);
}

// The call from which a forked process may come to `end`; NULL. cut_for_exits has made a block of it and of
// the store of its result, and one behind each invoke.
static LLVMValueRef fork_before(Cloner *c, LLVMValueRef end) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(end);
  for (all_insts(i, b))
    if (is_fork_site(c->k, i)) return i;
  for (all_uses(u, LLVMBasicBlockAsValue(b))) {
    LLVMValueRef call = LLVMGetUser(u);
    if (LLVMIsAInvokeInst(call) && is_fork_site(c->k, call)) return call;
  }
  return NULL;
}

void leave_if_forked(Cloner *c, LLVMValueRef end) {
  LLVMValueRef fork = c->goes_on ? fork_before(c, end) : NULL;
  if (fork) leave_if(c, end, "rt_enf_forked", is_vfork(fork) ? mapped(c, fork) : NULL);
}

void generic_write(Cloner *c) {
  size_t before = c->k->cloned;
  for (size_t i = 0; i < c->generic.len; ++i) {
    LLVMBasicBlockRef original = c->generic.at[i];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(original);
    LLVMPositionBuilderAtEnd(c->k->b, generic_block(c, original));
    for (LLVMValueRef at = LLVMGetFirstInstruction(original); at != end; at = LLVMGetNextInstruction(at))
      if (!left_out(c, at)) generic_instruction(c, at);
    generic_end(c, end);
  }
  c->k->generic += c->k->cloned - before;
}

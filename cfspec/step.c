// An operation becomes a call of the runtime with its node. A call that may synchronize becomes one of the
// clone of its callee; through a pointer, after a test that it leads there.
#include "specializer.h"
#include <assert.h>

static bool is_invoke(LLVMValueRef call) {
  return LLVMIsAInvokeInst(call) != NULL;
}

GoesOn step_goes_on(const Cloner *c, const Step *step, LLVMValueRef call) {
  if (step->end == END_RETURNS) return GOES_BEHIND;
  // The process ended while the thread was in this call: it may come back meanwhile.
  if (step->end == END_STOPS && step->call != SIGMA_NONE && !c->s->exits[c->a->thread]) return GOES_BEHIND;
  return is_invoke(call) ? GOES_TO_LANDING : GOES_NOWHERE;
}

// Where a call that is an invoke goes, either way.
typedef struct {
  LLVMBasicBlockRef normal, unwind;
} Ways;

static Ways ways_of(Cloner *c, LLVMValueRef call, GoesOn to, LLVMBasicBlockRef after) {
  Ways w = {NULL, NULL};
  if (!is_invoke(call)) return w;
  LLVMBasicBlockRef guard = LLVMAppendBasicBlockInContext(c->k->c, c->clone, "diverged");
  w.normal = to == GOES_BEHIND ? after : guard;
  w.unwind = to == GOES_TO_LANDING ? after : guard;
  if (to == GOES_NOWHERE) w.unwind = LLVMAppendBasicBlockInContext(c->k->c, c->clone, "diverged");
  return w;
}

// When the call is made: what leaves may need its result.
static void guard_ways(Cloner *c, LLVMValueRef call, GoesOn to, Ways w) {
  if (to != GOES_BEHIND) guard_edge(c, w.normal, call, "a return", LLVMGetNormalDest(call));
  if (to != GOES_TO_LANDING) guard_edge(c, w.unwind, call, "an exception", LLVMGetUnwindDest(call));
}

// The call as it was, to another function.
static LLVMValueRef call_of(Cloner *c, LLVMValueRef call, LLVMValueRef callee, Ways w) {
  LLVMValueRef made = clone_instruction(c, call);
  LLVMSetOperand(made, (unsigned)LLVMGetNumOperands(made) - 1, callee);
  if (w.normal) LLVMSetNormalDest(made, w.normal), LLVMSetUnwindDest(made, w.unwind);
  if (!is_invoke(call)) LLVMSetTailCallKind(made, LLVMTailCallKindNone);
  return made;
}

// f(a, b) becomes rt_enf_f(node, a, b).
static void operation(Cloner *c, LLVMValueRef call, const char *function, LLVMValueRef node, Ways w) {
  Module *k = c->k;
  unsigned n = LLVMGetNumArgOperands(call);
  LLVMValueRef *args = mem_array(n + 1, sizeof *args), made;
  LLVMTypeRef *types = mem_array(n + 1, sizeof *types);
  args[0] = node;
  for (unsigned i = 0; i < n; ++i) args[i + 1] = mapped(c, LLVMGetArgOperand(call, i));
  for (unsigned i = 0; i <= n; ++i) types[i] = LLVMTypeOf(args[i]);
  char *name = mem_format("rt_enf_%s", function);
  LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(call), types, n + 1, 0);
  LLVMValueRef f = runtime_function(k, name, type, true);
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, call));
  made = w.normal ? LLVMBuildInvoke2(k->b, type, f, args, n + 1, w.normal, w.unwind, "")
                  : LLVMBuildCall2(k->b, type, f, args, n + 1, "");
  attribute_call_add(made, "nomerge");
  location_variables(&c->where, call, made);
  map_put(c->values, map_key(call), map_key(made));
  mem_free(args), mem_free(types), mem_free(name);
}

static LLVMValueRef void_call(Cloner *c, const char *name, LLVMValueRef *args, unsigned n) {
  assert(n == 1 || n == 2);
  LLVMTypeRef types[2] = {LLVMTypeOf(args[0]), n > 1 ? LLVMTypeOf(args[1]) : NULL};
  LLVMTypeRef type = LLVMFunctionType(c->k->none, types, n, 0);
  LLVMValueRef made = LLVMBuildCall2(c->k->b, type, runtime_function(c->k, name, type, true), args, n, "");
  attribute_call_add(made, "nomerge");
  return made;
}

// The thread is cancelled there, which is the last that is known of it: the event is told before. If the
// runtime leaves it to the program's own call, the run is free.
static void cancelled(Cloner *c, const Step *step, LLVMValueRef call, Ways w) {
  Module *k = c->k;
  LLVMValueRef args[] = {node_of(c->s, step->operation), LLVMConstNull(k->ptr)};
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, call));
  void_call(c, "rt_enf_before", args, 2);
  void_call(c, "rt_enf_after", args, 1);
  LLVMTypeRef type = LLVMFunctionType(k->none, NULL, 0, 0);
  LLVMValueRef f = runtime_function(k, "rt_enf_cancelled", type, true);
  if (w.normal) {
    LLVMBasicBlockRef stays = LLVMAppendBasicBlockInContext(k->c, c->clone, "");
    LLVMBuildInvoke2(k->b, type, f, NULL, 0, stays, w.unwind, "");
    LLVMPositionBuilderAtEnd(k->b, stays);
  } else {
    LLVMBuildCall2(k->b, type, f, NULL, 0, "");
  }
  call_of(c, call, mapped(c, LLVMGetCalledValue(call)), w);
}

// Synchronization that no event expresses: the program's own call, in its place in the order.
static void unmodelled(Cloner *c, const Step *step, LLVMValueRef call, const Sync *s, Ways w) {
  Module *k = c->k;
  LLVMValueRef object = s ? sync_operand(call, s->object) : NULL;
  LLVMValueRef node = node_of(c->s, step->operation);
  bool known = object && LLVMTypeOf(object) == k->ptr && LLVMIsNull(object) == 0;
  LLVMValueRef args[] = {node, known ? mapped(c, object) : LLVMConstNull(k->ptr)};
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, call));
  void_call(c, "rt_enf_before", args, 2);
  LLVMBasicBlockRef done = w.normal;
  if (w.normal) w.normal = LLVMAppendBasicBlockInContext(k->c, c->clone, "");
  call_of(c, call, mapped(c, LLVMGetCalledValue(call)), w);
  if (w.normal) LLVMPositionBuilderAtEnd(k->b, w.normal);
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, call));
  void_call(c, "rt_enf_after", args, 1);
  if (done) LLVMBuildBr(k->b, done);
}

// Where a call through a pointer goes. The address of an ifunc is that of a jump that the linker made: what
// is behind it says its resolver, which the dynamic linker may call as often as it likes, too.
static LLVMValueRef pointer_called(Cloner *c, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call), ifunc = LLVMIsAGlobalIFunc(call_strip(called));
  if (!ifunc) return mapped(c, called);
  LLVMTypeRef type = LLVMFunctionType(c->k->ptr, NULL, 0, 0);
  LLVMSetCurrentDebugLocation2(c->k->b, location_of(&c->where, call));
  return LLVMBuildCall2(c->k->b, type, LLVMGetGlobalIFuncResolver(ifunc), NULL, 0, "");
}

// Goes on only if the pointer is this one.
static void test_target(Cloner *c, LLVMValueRef call, LLVMValueRef pointer, LLVMValueRef is, bool equal) {
  Module *k = c->k;
  LLVMBasicBlockRef right = LLVMAppendBasicBlockInContext(k->c, c->clone, "");
  LLVMBasicBlockRef other = LLVMAppendBasicBlockInContext(k->c, c->clone, "diverged");
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, call));
  LLVMValueRef same = LLVMBuildICmp(k->b, LLVMIntEQ, pointer, is, "");
  LLVMBuildCondBr(k->b, same, equal ? right : other, equal ? other : right);
  LLVMPositionBuilderAtEnd(k->b, other);
  char *seen = mem_format(equal ? "%s" : "a call of %s", function_name(k, is));
  guard_call(c, call, seen, equal ? pointer : NULL, exit_to(LLVMGetInstructionParent(call)));
  mem_free(seen);
  LLVMPositionBuilderAtEnd(k->b, right);
}

// The operation behind a pointer: one of the functions that this call can reach and that do such.
static const Sync *operation_through(Cloner *c, const Step *step, LLVMValueRef *function) {
  const Event *e = &c->s->schedule->events.at[step->operation];
  Ids targets = callgraph_targets(c->k->graph, step->site);
  const Sync *found = NULL;
  for (vec_each(i, &targets)) {
    LLVMValueRef f = callgraph_function(c->k->graph, targets.at[i]);
    const Sync *s = LLVMIsDeclaration(f) ? sync_find(LLVMGetValueName(f)) : NULL;
    if (!s || s->kind != e->kind) continue;
    if (found) return NULL;
    found = s, *function = f;
  }
  return found;
}

static bool operation_step(Cloner *c, const Step *step, LLVMValueRef call, Ways w) {
  const Sync *s = sync_of_call(call);
  LLVMValueRef node = node_of(c->s, step->operation), function = NULL;
  const Event *e = &c->s->schedule->events.at[step->operation];
  if (e->wake == EVENT_CANCELLED && e->phase == EVENT_WHOLE) {
    cancelled(c, step, call, w);
    return true;
  }
  if (e->kind == SYNC_UNMODELLED) {
    unmodelled(c, step, call, s, w);
    return true;
  }
  if (!s) {
    s = operation_through(c, step, &function);
    if (!s) {
      diag_at(c->k->diags, DIAG_ERROR, call, "cannot tell which operation this pointer calls");
      return false;
    }
    test_target(c, call, pointer_called(c, call), function, true);
  }
  operation(c, call, s->name, node, w);
  return true;
}

LLVMValueRef quiet_target(Cloner *c, uint32_t site, LLVMValueRef call) {
  Module *k = c->k;
  LLVMValueRef direct = call_function(call), pointer = pointer_called(c, call);
  Ids targets = callgraph_targets(k->graph, site);
  for (vec_each(i, &targets)) {
    LLVMValueRef f = callgraph_function(k->graph, targets.at[i]);
    const Sync *s = LLVMIsDeclaration(f) ? sync_find(LLVMGetValueName(f)) : NULL;
    if (!direct && s && sync_events(s->kind)) test_target(c, call, pointer, f, false);
  }
  LLVMValueRef to = pointer;
  for (vec_each(i, &targets)) {
    uint32_t id = targets.at[i];
    LLVMValueRef f = callgraph_function(k->graph, id);
    if (LLVMIsDeclaration(f) || !maysync_function(k->sync, id)) continue;
    LLVMValueRef quiet = quiet_clone(c->s, c->a->thread, id);
    if (callgraph_direct(k->graph, site)) return quiet;
    LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, call));
    LLVMValueRef same = LLVMBuildICmp(k->b, LLVMIntEQ, pointer, k->address[id], "");
    to = LLVMBuildSelect(k->b, same, quiet, to, "");
  }
  return to;
}

static LLVMValueRef call_target(Cloner *c, const Step *step, LLVMValueRef call) {
  if (step->callee == PLAN_NONE) return quiet_target(c, step->site, call);
  const Activation *callee = &c->s->plan->activations.at[step->callee];
  assert(callee->thread == c->a->thread && c->s->clone[step->callee]);
  if (!callgraph_direct(c->k->graph, step->site))
    test_target(c, call, pointer_called(c, call), c->k->address[callee->function], true);
  return c->s->clone[step->callee];
}

LLVMBasicBlockRef step_clone(Cloner *c, const Step *step, LLVMValueRef call) {
  assert(call == sites_call(c->k->sites, step->site));
  GoesOn to = step_goes_on(c, step, call);
  LLVMBasicBlockRef after = to == GOES_NOWHERE ? NULL : LLVMAppendBasicBlockInContext(c->k->c, c->clone, "");
  Ways w = ways_of(c, call, to, after);
  if (step->operation != SIGMA_NONE) {
    if (!operation_step(c, step, call, w)) return NULL;
  } else {
    LLVMValueRef target = call_target(c, step, call);
    call_may_jump(c, step, call);
    attribute_call_add(call_of(c, call, target, w), "nomerge");
  }
  c->stopped = step->end == END_STOPS && to == GOES_NOWHERE;
  if (is_invoke(call)) {
    guard_ways(c, call, to, w);
    c->stopped = false;
    return after;
  }
  LLVMSetCurrentDebugLocation2(c->k->b, location_of(&c->where, call));
  if (after)
    LLVMBuildBr(c->k->b, after);
  else
    guard_here(c, call,
               step->end == END_UNWINDS ? "the call returned here, but the recorded run threw an exception"
                                        : "a return",
               exit_through(pieces_after(c->pieces, step->site, false)));
  c->stopped = false;
  return after;
}

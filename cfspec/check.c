// What every specialized module must hold, looked at in the code alone and not in how it was made: each event
// of the schedule is one call, and from an event its thread can only come to the next, to a guard, or to
// where the process or thread ends. Behind a guard that comes back, in generic code, no event is.
#include "check.h"
#include "belongs.h"

typedef struct {
  LLVMModuleRef m;
  Map *clones;  // 1: a clone; 2: events happen in it
  Diags *diags;
} Checker;

bool check_is_clone(LLVMValueRef f) {
  return attribute_noted(f, CHECK_CLONE, &(unsigned){0}) != NULL;
}

static bool is_operation(LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  if (!f || !LLVMIsAFunction(f) || strncmp(LLVMGetValueName(f), "rt_enf_", 7) != 0) return false;
  LLVMValueRef node = LLVMGetNumArgOperands(call) ? LLVMGetArgOperand(call, 0) : NULL;
  if (!node || !LLVMIsAGlobalVariable(node)) return false;
  const char *name = LLVMGetValueName(node);
  return !strncmp(name, "specialize.s", 12) && name[12] >= '0' && name[12] <= '9';
}

// An operation, or a call of a clone that holds events.
static bool is_event(const Checker *k, LLVMValueRef i) {
  if (!call_is(i)) return false;
  LLVMValueRef f = call_function(i);
  return is_operation(i) || (f && map_or(k->clones, map_key(f), 0) == 2);
}

bool check_leaves(LLVMValueRef i) {
  static const char *const all[] = {"rt_enf_leave", "rt_enf_leave_call", "rt_enf_stay"};
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  bool is = false;
  for (size_t n = 0; f && n < sizeof all / sizeof *all; ++n) is |= !strcmp(LLVMGetValueName(f), all[n]);
  return is;
}

static bool count_nodes(Checker *k) {
  Map *calls = map_new();
  bool ok = true;
  for (all_functions(f, k->m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        if (!call_is(i) || !is_operation(i)) continue;
        LLVMValueRef node = LLVMGetArgOperand(i, 0), callee = call_function(i);
        // before and after stand around one operation.
        uint64_t key = map_key(node), after = !strcmp(LLVMGetValueName(callee), "rt_enf_after");
        uint64_t seen = map_or(calls, key, 0), bit = after ? 2 : 1;
        if (seen & bit) {
          diag_at(k->diags, DIAG_ERROR, i, "internal: the event %s is in the code twice",
                  LLVMGetValueName(node));
          ok = false;
        }
        map_put(calls, key, seen | bit);
      }
  map_free(calls);
  return ok;
}

typedef Vec(LLVMBasicBlockRef) Blocks;

static bool calls(LLVMValueRef i, const char *name) {
  LLVMValueRef f = i && call_is(i) ? call_function(i) : NULL;
  return f && !strcmp(LLVMGetValueName(f), name);
}

static bool is_jump(LLVMValueRef i) {
  return calls(i, "rt_enf_jump");
}

// Behind setjmp: to where a jump goes on, which next_by_jump follows.
static bool chooses(LLVMValueRef end) {
  return LLVMIsASwitchInst(end) && calls(LLVMGetOperand(end, 0), "rt_enf_position");
}

// Blocks that can be reached from behind an event without another event; what events they run into.
typedef struct {
  LLVMValueRef event;  // the first that was met
  bool several, leaves;
} Ahead;

static void look(const Checker *k, LLVMValueRef from, Ahead *a, Blocks *queue, Map *seen) {
  LLVMValueRef last = NULL;
  for (LLVMValueRef i = from; i; last = i, i = LLVMGetNextInstruction(i)) {
    if (check_leaves(i)) return;
    if (!is_event(k, i)) continue;
    a->several |= a->event && a->event != i;
    a->event = i;
    return;
  }
  a->leaves |= LLVMIsAReturnInst(last) || LLVMIsAResumeInst(last);
  for (unsigned n = 0; n < LLVMGetNumSuccessors(last); ++n) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(last, n);
    if (map_or(seen, map_key(to), 0) || chooses(last)) continue;
    map_put(seen, map_key(to), 1);
    vec_push(queue, to);
  }
}

static Ahead ahead_of(const Checker *k, LLVMValueRef from, LLVMValueRef invoke) {
  Ahead a = {NULL, false, false};
  Blocks queue = {0};
  Map *seen = map_new();
  if (from) look(k, from, &a, &queue, seen);
  for (unsigned n = 0; invoke && n < 2; ++n) vec_push(&queue, LLVMGetSuccessor(invoke, n));
  for (size_t i = 0; i < queue.len; ++i) look(k, LLVMGetFirstInstruction(queue.at[i]), &a, &queue, seen);
  map_free(seen);
  vec_free(&queue);
  return a;
}

// What waits for the end of the process, in front of the call that ends it at once (clone.c). On another way
// the same end may come by a return.
static bool ends_process(LLVMValueRef event) {
  return LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(event))) &&
         !strcmp(LLVMGetValueName(call_function(event)), "rt_enf_before");
}

static bool one_way(const Ahead *a) {
  return !a->several && (!a->leaves || ends_process(a->event));
}

// Where a way ends without an event the thread jumps: jumps stand in the code in their order.
static bool next_by_jump(Ahead *a, const LLVMValueRef *jumps, size_t count, size_t *done) {
  if (a->event || *done == count) return a->event;
  a->event = jumps[(*done)++];
  a->leaves = false;
  return true;
}

// All ways from the entry through the events, one after the other, to the end.
static bool check_clone(const Checker *k, LLVMValueRef f) {
  Ahead a = ahead_of(k, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)), NULL);
  size_t events = 0, met = 0, jump = 0;
  Vec(LLVMValueRef) jumps = {0};
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      events += is_event(k, i);
      if (is_jump(i)) vec_push(&jumps, i);
    }
  for (; next_by_jump(&a, jumps.at, jumps.len, &jump) && one_way(&a); ++met) {
    LLVMValueRef e = a.event;
    a = LLVMIsAInvokeInst(e) ? ahead_of(k, NULL, e) : ahead_of(k, LLVMGetNextInstruction(e), NULL);
    if (met > events) break;
  }
  bool ok = (!a.event || one_way(&a)) && met == events;
  if (!ok)
    diag_at(k->diags, DIAG_ERROR, f, "internal: the events of the clone %s are not in one order",
            LLVMGetValueName(f));
  vec_free(&jumps);
  return ok;
}

// The other ways: what follows a guard is no part of the schedule.
static bool check_generic(const Checker *k, LLVMValueRef f) {
  Ahead a = {NULL, false, false};
  Blocks queue = {0};
  Map *seen = map_new();
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (check_leaves(i)) look(k, LLVMGetNextInstruction(i), &a, &queue, seen);
  for (size_t i = 0; i < queue.len; ++i) look(k, LLVMGetFirstInstruction(queue.at[i]), &a, &queue, seen);
  map_free(seen);
  vec_free(&queue);
  if (a.event)
    diag_at(k->diags, DIAG_ERROR, a.event, "internal: generic code of the clone %s comes to an event",
            LLVMGetValueName(f));
  return !a.event;
}

static bool holds_events(LLVMValueRef f) {
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (call_is(i) && is_operation(i)) return true;
  return false;
}

// Clones that hold operations, and those that call such.
static void mark_clones(Checker *k) {
  for (all_functions(f, k->m)) {
    if (LLVMIsDeclaration(f) || !check_is_clone(f)) continue;
    map_put(k->clones, map_key(f), holds_events(f) ? 2 : 1);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (all_functions(f, k->m)) {
      if (map_or(k->clones, map_key(f), 0) != 1) continue;
      bool calls = false;
      for (all_blocks(b, f))
        for (all_insts(i, b)) {
          LLVMValueRef to = call_is(i) ? call_function(i) : NULL;
          calls |= to && map_or(k->clones, map_key(to), 0) == 2;
        }
      if (!calls) continue;
      map_put(k->clones, map_key(f), 2);
      changed = true;
    }
  }
}

// A clone runs in one thread, and calls what runs in it.
static bool check_thread(const Checker *k, LLVMValueRef f) {
  uint32_t schedule, thread, other_schedule, other_thread;
  bool ok = true;
  if (!cfspec_belongs(f, &schedule, &thread)) return true;
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      LLVMValueRef to = call_is(i) ? call_function(i) : NULL;
      if (!to || !cfspec_belongs(to, &other_schedule, &other_thread)) continue;
      if (schedule == other_schedule && thread == other_thread) continue;
      diag_at(k->diags, DIAG_ERROR, i, "internal: the clone %s calls %s, which is another thread's",
              LLVMGetValueName(f), LLVMGetValueName(to));
      ok = false;
    }
  return ok;
}

bool cfspec_check(LLVMModuleRef m, Diags *diags) {
  Checker k = {.m = m, .clones = map_new(), .diags = diags};
  mark_clones(&k);
  bool ok = count_nodes(&k);
  for (all_functions(f, m))
    if (map_or(k.clones, map_key(f), 0)) {
      ok &= check_thread(&k, f);
      if (map_or(k.clones, map_key(f), 0) == 2) ok &= check_clone(&k, f) && check_generic(&k, f);
    }
  map_free(k.clones);
  return ok;
}

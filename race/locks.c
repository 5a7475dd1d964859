// Forwards through each function: a mutex is held if it is on every way. Mutexes with a name are one constant
// address each. Of the others only the last one locked is kept, as a value of the function: computed again,
// it is another; and after any unlock or event it is not known to be held, for it could be that one's.
#include "locks.h"
#include <assert.h>

enum { MOST = 64 };

typedef struct {
  uint64_t named;       // a bit each
  LLVMValueRef latest;  // NULL: none
  bool reached;
} Held;

struct Locks {
  const Code *code;
  Vec(LLVMValueRef) mutexes;
  Map *held, *latest;  // at the beginning of a block
};

// Of a spin lock too, which has to have a name.
static const Sync *mutex_operation(LLVMValueRef i) {
  const Sync *s = call_is(i) ? sync_of_call(i) : NULL;
  bool is = s && (s->family == SYNC_MUTEX || s->family == SYNC_SPIN) &&
            (s->kind == SYNC_LOCK || s->kind == SYNC_UNLOCK);
  return is ? s : NULL;
}

static bool is_event(LLVMValueRef i) {
  uint32_t thread, first, last;
  return call_is(i) && cfspec_event_of(i, &thread, &first, &last);
}

// 0: there are too many.
static uint64_t bit_of(Locks *l, LLVMValueRef mutex) {
  assert(LLVMIsAConstant(mutex) && l->mutexes.len <= MOST);
  size_t i = 0;
  while (i < l->mutexes.len && l->mutexes.at[i] != mutex) ++i;
  if (i == MOST) return 0;
  if (i == l->mutexes.len) vec_push(&l->mutexes, mutex);
  return (uint64_t)1 << i;
}

static void lock(Locks *l, const Sync *s, LLVMValueRef mutex, Held *h) {
  if (!mutex || s->waiting != SYNC_BLOCKS) return;  // others may fail
  if (LLVMIsAConstant(mutex))
    h->named |= bit_of(l, mutex);
  else if (s->family == SYNC_MUTEX)
    h->latest = mutex;
}

// Which one is not always known, then it may be any.
static void unlock(Locks *l, LLVMValueRef mutex, Held *h) {
  h->latest = NULL;
  h->named = mutex && LLVMIsAConstant(mutex) ? h->named & ~bit_of(l, mutex) : 0;
}

static void step(Locks *l, LLVMValueRef i, Held *h) {
  const Sync *s = mutex_operation(i);
  LLVMValueRef mutex = s ? sync_operand(i, s->object) : NULL, callee = call_is(i) ? call_function(i) : NULL;
  bool event = is_event(i), outside = !call_is(i) || (callee && LLVMIsDeclaration(callee));
  if (event || h->latest == i) h->latest = NULL;
  if (s && s->kind == SYNC_LOCK && !event)
    lock(l, s, mutex, h);
  else if (s && s->kind == SYNC_UNLOCK && !(event && mutex && LLVMIsAConstant(mutex)))
    unlock(l, mutex, h);
  else if (!outside)
    h->named = 0, h->latest = NULL;  // who knows what it gives back
}

static Held at_end(Locks *l, LLVMBasicBlockRef b, Held h) {
  for (all_insts(i, b)) step(l, i, &h);
  return h;
}

// Whether anything has changed.
static bool meet(Held *at, Held from) {
  assert(from.reached);
  Held both = from;
  if (at->reached) {
    both.named &= at->named;
    if (both.latest != at->latest) both.latest = NULL;
  }
  bool changed = !at->reached || both.named != at->named || both.latest != at->latest;
  *at = both;
  return changed;
}

static void see(Locks *l, const CodeFunction *f) {
  uint32_t n = cfg_count(f->cfg);
  Held *begin = mem_array(n + 1, sizeof *begin);
  Ids order = cfg_order(f->cfg);
  assert(order.len && order.at[0] == 0);
  begin[0].reached = true;
  for (bool more = true; more;) {
    more = false;
    for (vec_each(i, &order)) {
      uint32_t b = order.at[i];
      if (!begin[b].reached) continue;
      Held end = at_end(l, cfg_block(f->cfg, b), begin[b]);
      Ids succs = cfg_succs(f->cfg, b);
      for (vec_each(k, &succs)) more |= meet(&begin[succs.at[k]], end);
    }
  }
  for (uint32_t b = 0; b < n; ++b) {
    if (begin[b].named) map_put(l->held, map_key(cfg_block(f->cfg, b)), begin[b].named);
    if (begin[b].latest) map_put(l->latest, map_key(cfg_block(f->cfg, b)), map_key(begin[b].latest));
  }
  mem_free(begin);
}

static bool has_any(const CodeFunction *f) {
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      const Sync *s = mutex_operation(i);
      if (s && s->kind == SYNC_LOCK && !is_event(i)) return true;
    }
  return false;
}

Locks *locks_new(const Code *c) {
  Locks *l = mem_alloc(sizeof *l);
  l->code = c, l->held = map_new(), l->latest = map_new();
  for (size_t i = 0; i < code_count(c); ++i)
    if (has_any(code_at(c, i))) see(l, code_at(c, i));
  return l;
}

void locks_free(Locks *l) {
  if (!l) return;
  vec_free(&l->mutexes);
  map_free(l->held), map_free(l->latest);
  mem_free(l);
}

static Held held_at(const Locks *l, LLVMValueRef inst) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);
  Held h = {map_or(l->held, map_key(b), 0), (LLVMValueRef)(uintptr_t)map_or(l->latest, map_key(b), 0), true};
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != inst; i = LLVMGetNextInstruction(i))
    step((Locks *)(uintptr_t)l, i, &h);
  return h;
}

uint64_t locks_held(const Locks *l, LLVMValueRef inst) {
  assert(LLVMIsAInstruction(inst));
  return l->mutexes.len ? held_at(l, inst).named : 0;
}

LLVMValueRef locks_latest(const Locks *l, LLVMValueRef inst) {
  return held_at(l, inst).latest;
}

LLVMValueRef locks_mutex(const Locks *l, unsigned number) {
  assert(number < l->mutexes.len);
  return l->mutexes.at[number];
}

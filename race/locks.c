// Forwards through each function: a mutex is held if it is on every way. Only mutexes with a name can be left
// out of a schedule, so each is one constant address.
#include "locks.h"

enum { MOST = 64 };

struct Locks {
  const Code *code;
  Vec(LLVMValueRef) mutexes;
  Map *held;  // at the beginning of a block
};

// The operation, if it is on a mutex that is left out. *bit: which.
static const Sync *ordinary(Locks *l, LLVMValueRef call, uint64_t *bit) {
  uint32_t thread, first, last;
  const Sync *s = call_is(call) ? sync_of_call(call) : NULL;
  if (!s || s->family != SYNC_MUTEX || (s->kind != SYNC_LOCK && s->kind != SYNC_UNLOCK)) return NULL;
  if (cfspec_event_of(call, &thread, &first, &last)) return NULL;
  LLVMValueRef mutex = sync_operand(call, s->object);
  if (!mutex || !LLVMIsAConstant(mutex)) return NULL;
  size_t i = 0;
  while (i < l->mutexes.len && l->mutexes.at[i] != mutex) ++i;
  if (i == MOST) return NULL;
  if (i == l->mutexes.len) vec_push(&l->mutexes, mutex);
  *bit = (uint64_t)1 << i;
  return s;
}

// Unlocks a mutex, and which one is not known.
static bool unlocks_any(LLVMValueRef call) {
  const Sync *s = call_is(call) ? sync_of_call(call) : NULL;
  if (!s || s->family != SYNC_MUTEX || s->kind != SYNC_UNLOCK) return false;
  LLVMValueRef mutex = sync_operand(call, s->object);
  return !mutex || !LLVMIsAConstant(mutex);
}

static uint64_t behind(Locks *l, LLVMValueRef i, uint64_t held) {
  uint64_t bit;
  const Sync *s = ordinary(l, i, &bit);
  LLVMValueRef callee = call_is(i) ? call_function(i) : NULL;
  if (s && s->kind == SYNC_UNLOCK) return held & ~bit;
  if (s && s->waiting == SYNC_BLOCKS) return held | bit;  // others may fail
  if (unlocks_any(i)) return 0;
  bool outside = !call_is(i) || (callee && LLVMIsDeclaration(callee));
  return outside ? held : 0;  // who knows what it gives back
}

static uint64_t at_end(Locks *l, LLVMBasicBlockRef b, uint64_t held) {
  for (all_insts(i, b)) held = behind(l, i, held);
  return held;
}

static void see(Locks *l, const CodeFunction *f) {
  uint32_t n = cfg_count(f->cfg);
  uint64_t *begin = mem_array(n + 1, sizeof *begin);
  Ids order = cfg_order(f->cfg);
  for (uint32_t b = 1; b < n; ++b) begin[b] = UINT64_MAX;
  for (bool more = true; more;) {
    more = false;
    for (vec_each(i, &order)) {
      uint32_t b = order.at[i];
      uint64_t end = at_end(l, cfg_block(f->cfg, b), begin[b]);
      Ids succs = cfg_succs(f->cfg, b);
      for (vec_each(k, &succs)) {
        uint64_t both = begin[succs.at[k]] & end;
        more |= both != begin[succs.at[k]];
        begin[succs.at[k]] = both;
      }
    }
  }
  for (uint32_t b = 0; b < n; ++b)
    if (begin[b] && begin[b] != UINT64_MAX) map_put(l->held, map_key(cfg_block(f->cfg, b)), begin[b]);
  mem_free(begin);
}

static bool has_any(Locks *l, const CodeFunction *f) {
  uint64_t bit;
  for (all_blocks(b, f->function))
    for (all_insts(i, b))
      if (ordinary(l, i, &bit)) return true;
  return false;
}

Locks *locks_new(const Code *c) {
  Locks *l = mem_alloc(sizeof *l);
  l->code = c, l->held = map_new();
  for (size_t i = 0; i < code_count(c); ++i)
    if (has_any(l, code_at(c, i))) see(l, code_at(c, i));
  return l;
}

void locks_free(Locks *l) {
  if (!l) return;
  vec_free(&l->mutexes);
  map_free(l->held);
  mem_free(l);
}

uint64_t locks_held(const Locks *l, LLVMValueRef inst) {
  if (!l->mutexes.len) return 0;
  LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);
  uint64_t held = map_or(l->held, map_key(b), 0);
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != inst; i = LLVMGetNextInstruction(i))
    held = behind((Locks *)(uintptr_t)l, i, held);
  return held;
}

LLVMValueRef locks_mutex(const Locks *l, unsigned number) {
  return l->mutexes.at[number];
}

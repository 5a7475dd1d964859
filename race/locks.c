// Forwards through each function: a lock is held if it is on every way. Locks with a name are one constant
// address each. Of the others only the last one locked is kept, as a value of the function: computed again,
// it is another; and after any unlock or event it is not known to be held, for it could be that one's.
#include "locks.h"
#include <assert.h>

typedef struct {
  LockSet all;                           // operations that are events count
  uint64_t left_out;                     // and here they do not
  LLVMValueRef latest, latest_left_out;  // NULL: none
  bool reached;
} Held;

struct Locks {
  bool any;  // some function locks something
  Vec(LLVMValueRef) locks;
  Vec(Held) helds;
  Map *begin;  // of a block -> its Held
  Map *at;     // of an instruction -> its Held, of blocks that were asked for
};

static const Sync *lock_operation(LLVMValueRef i) {
  const Sync *s = call_is(i) ? sync_of_call(i) : NULL;
  if (!s || (s->family != SYNC_MUTEX && s->family != SYNC_SPIN && s->family != SYNC_RWLOCK)) return NULL;
  return s->kind == SYNC_LOCK || s->kind == SYNC_RDLOCK || s->kind == SYNC_UNLOCK ? s : NULL;
}

static bool is_event(LLVMValueRef i) {
  uint32_t thread, first, last;
  return call_is(i) && cfspec_event_of(i, &thread, &first, &last);
}

// 0: there are too many.
static uint64_t bit_of(Locks *l, LLVMValueRef lock) {
  assert(LLVMIsAConstant(lock) && l->locks.len <= LIMIT_LOCKS);
  size_t i = 0;
  while (i < l->locks.len && l->locks.at[i] != lock) ++i;
  if (i == LIMIT_LOCKS) return limit_reached(LIMIT_OF_LOCKS), 0;
  if (i == l->locks.len) vec_push(&l->locks, lock);
  return (uint64_t)1 << i;
}

static void take(Locks *l, const Sync *s, LLVMValueRef lock, bool event, Held *h) {
  if (!lock || s->waiting != SYNC_BLOCKS) return;  // others may fail
  if (LLVMIsAConstant(lock)) {
    uint64_t bit = bit_of(l, lock);
    *(s->kind == SYNC_RDLOCK ? &h->all.shared : &h->all.exclusive) |= bit;
    if (!event && s->family != SYNC_RWLOCK) h->left_out |= bit;
  } else if (s->family == SYNC_MUTEX) {
    h->latest = lock;
    if (!event) h->latest_left_out = lock;
  }
}

// Which one is not always known, then it may be any.
static void give(Locks *l, LLVMValueRef lock, bool event, Held *h) {
  uint64_t kept = lock && LLVMIsAConstant(lock) ? ~bit_of(l, lock) : 0;
  h->latest = NULL;
  h->all.exclusive &= kept, h->all.shared &= kept;
  if (event && kept) return;
  h->latest_left_out = NULL;
  h->left_out &= kept;
}

static void forget(Held *h) {
  *h = (Held){.reached = h->reached};
}

// During the call, functions of the program.
static bool calls_back(LLVMValueRef function) {
  const LibraryCall *rows;
  size_t len;
  const char *name = LLVMGetValueName2(function, &len);
  const Sync *s = sync_find(name);
  if (s) return s->kind == SYNC_ONCE;
  return library_trust(name) != LIBRARY_TABLED || library_calls(name, &rows);
}

static void step(Locks *l, LLVMValueRef i, Held *h) {
  const Sync *s = lock_operation(i);
  LLVMValueRef lock = s ? sync_operand(i, s->object) : NULL, callee = call_is(i) ? call_function(i) : NULL;
  bool event = is_event(i),
       outside = !call_is(i) || (callee && LLVMIsDeclaration(callee) && !calls_back(callee));
  if (event || h->latest_left_out == i) h->latest_left_out = NULL;
  if (h->latest == i) h->latest = NULL;
  if (s && s->kind != SYNC_UNLOCK)
    take(l, s, lock, event, h);
  else if (s)
    give(l, lock, event, h);
  else if (!outside || call_returns_twice(i))
    forget(h);  // it may give back any of them; longjmp may come from where they have been given back
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
    both.all.exclusive &= at->all.exclusive, both.all.shared &= at->all.shared;
    both.left_out &= at->left_out;
    if (both.latest != at->latest) both.latest = NULL;
    if (both.latest_left_out != at->latest_left_out) both.latest_left_out = NULL;
  }
  bool changed = !at->reached || both.all.exclusive != at->all.exclusive ||
                 both.all.shared != at->all.shared || both.left_out != at->left_out ||
                 both.latest != at->latest || both.latest_left_out != at->latest_left_out;
  *at = both;
  return changed;
}

static bool is_any(const Held *h) {
  return h->all.exclusive || h->all.shared || h->latest || h->latest_left_out;
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
  for (uint32_t b = 0; b < n; ++b)
    if (is_any(&begin[b])) {
      map_put(l->begin, map_key(cfg_block(f->cfg, b)), l->helds.len);
      vec_push(&l->helds, begin[b]);
    }
  mem_free(begin);
}

static bool has_any(const CodeFunction *f) {
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      const Sync *s = lock_operation(i);
      if (s && s->kind != SYNC_UNLOCK) return true;
    }
  return false;
}

Locks *locks_new(const Code *c) {
  Locks *l = mem_alloc(sizeof *l);
  l->begin = map_new(), l->at = map_new();
  for (size_t i = 0; i < code_count(c); ++i)
    if (has_any(code_at(c, i))) see(l, code_at(c, i)), l->any = true;
  return l;
}

void locks_free(Locks *l) {
  if (!l) return;
  vec_free(&l->locks), vec_free(&l->helds);
  map_free(l->begin), map_free(l->at);
  mem_free(l);
}

static bool is_same(const Held *a, const Held *b) {
  return a->all.exclusive == b->all.exclusive && a->all.shared == b->all.shared &&
         a->left_out == b->left_out && a->latest == b->latest && a->latest_left_out == b->latest_left_out;
}

static void go_through(Locks *l, LLVMBasicBlockRef b) {
  uint64_t known;
  Held h = {.reached = true};
  if (map_get(l->begin, map_key(b), &known)) h = l->helds.at[known];
  vec_push(&l->helds, h);
  for (all_insts(i, b)) {
    if (!is_same(&vec_last(&l->helds), &h)) vec_push(&l->helds, h);
    map_put(l->at, map_key(i), l->helds.len - 1);
    step(l, i, &h);
  }
}

static Held held_at(const Locks *l, LLVMValueRef inst) {
  assert(LLVMIsAInstruction(inst));
  uint64_t known;
  if (!map_get(l->at, map_key(inst), &known)) {
    go_through((Locks *)(uintptr_t)l, LLVMGetInstructionParent(inst));
    map_get(l->at, map_key(inst), &known);
  }
  return l->helds.at[known];
}

LockSet locks_held(const Locks *l, LLVMValueRef inst) {
  return l->locks.len ? held_at(l, inst).all : (LockSet){0};
}

bool locks_common(const Locks *l, LLVMValueRef x, LLVMValueRef y) {
  LockSet a = locks_held(l, x), b = locks_held(l, y);
  return (a.exclusive & (b.exclusive | b.shared)) || (a.shared & b.exclusive);
}

uint64_t locks_left_out(const Locks *l, LLVMValueRef inst) {
  return l->locks.len ? held_at(l, inst).left_out : 0;
}

LLVMValueRef locks_latest(const Locks *l, LLVMValueRef inst, bool left_out) {
  if (!l->any) return NULL;
  Held h = held_at(l, inst);
  return left_out ? h.latest_left_out : h.latest;
}

LLVMValueRef locks_lock(const Locks *l, unsigned number) {
  assert(number < l->locks.len);
  return l->locks.at[number];
}

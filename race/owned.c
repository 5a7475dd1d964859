#include "owned.h"
#include <assert.h>

struct Owned {
  Flow *flow;
  Vec(uint32_t) owner;  // by object: the thread that was given its address; 0: not known
};

// The memory that a thread is given the address of; NULL: not known, or one call makes it several times.
static LLVMValueRef given(Flow *f, const CodeFunction *root) {
  LLVMValueRef entry = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(root->function));
  if (!LLVMCountParams(root->function)) return NULL;
  Bv x = flow_term(f, LLVMGetParam(root->function, 0), entry, 1, NULL);
  return x != BV_NONE && flow_single(f, x) ? flow_object(f, x) : NULL;
}

Owned *owned_new(Flow *f) {
  Owned *o = mem_alloc(sizeof *o);
  const Code *c = flow_code(f);
  const Alias *a = flow_aliases(f);
  o->flow = f;
  Map *thread = map_new();  // by what it is given; 0: several
  for (uint32_t t = 1; t < order_schedule(code_order(c))->threads; ++t) {
    const CodeFunction *root = code_root(c, t);
    LLVMValueRef object = root ? given(f, root) : NULL;
    uint64_t before;
    if (object) map_put(thread, map_key(object), map_get(thread, map_key(object), &before) ? 0 : t);
  }
  for (uint32_t i = 0; i < alias_count(a); ++i) {
    AliasObject x = alias_object(a, i);
    vec_push(&o->owner, x.kind == ALIAS_HEAP ? (uint32_t)map_or(thread, map_key(x.value), 0) : 0);
  }
  map_free(thread);
  return o;
}

void owned_free(Owned *o) {
  if (!o) return;
  vec_free(&o->owner);
  mem_free(o);
}

static bool is_of(const Owned *o, uint32_t object, const Access *y) {
  assert(object < o->owner.len);
  uint32_t owner = o->owner.at[object];
  if (!owner) return false;
  for (vec_each(i, &y->regions)) {
    Region r = y->regions.at[i];
    if (r.thread != owner && !code_before(flow_code(o->flow), r, (Region){owner, 0, 0}, true)) return false;
  }
  return true;
}

// Whether it is in this object or another of the same class can show by its address.
static bool may_touch(const Owned *o, const Access *y, uint32_t object) {
  Bv at = y->pointer ? flow_term(o->flow, y->pointer, y->inst, 2, NULL) : BV_NONE;
  IdVec in = {0};
  bool may = at == BV_NONE || !flow_objects(o->flow, at, &in);
  for (vec_each(i, &in)) may |= in.at[i] == object || !in.at[i];
  vec_free(&in);
  return may;
}

bool owned_ordered(const Owned *o, const Access *x, const Access *y) {
  if (!x->own_state) return false;
  for (vec_each(i, &x->ranges))
    for (vec_each(k, &y->ranges)) {
      if (!alias_ranges_meet(flow_aliases(o->flow), &x->ranges.at[i], &y->ranges.at[k])) continue;
      if (!x->ranges.at[i].object) return false;
      bool same = y->ranges.at[k].object == x->ranges.at[i].object;
      if (same && (y->own_state || is_of(o, x->ranges.at[i].object, y))) continue;
      if (may_touch(o, y, x->ranges.at[i].object)) return false;
    }
  return true;
}

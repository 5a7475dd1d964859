#include "handmade.h"
#include <assert.h>

typedef struct {
  const Access *store;
  const CodeFunction *waiter;
  uint32_t behind;  // the block that the loop leaves to
  Region region;    // of the loop
} Handoff;

struct Handmade {
  Flow *flow;
  Vec(Handoff) all;
};

static bool acquires(LLVMValueRef load) {
  LLVMAtomicOrdering o = LLVMIsALoadInst(load) ? LLVMGetOrdering(load) : LLVMAtomicOrderingNotAtomic;
  return o == LLVMAtomicOrderingAcquire || o == LLVMAtomicOrderingSequentiallyConsistent;
}
static bool releases(LLVMValueRef store) {
  LLVMAtomicOrdering o = LLVMIsAStoreInst(store) ? LLVMGetOrdering(store) : LLVMAtomicOrderingNotAtomic;
  return o == LLVMAtomicOrderingRelease || o == LLVMAtomicOrderingSequentiallyConsistent;
}

// The only edge out of the loop, but for those that end the process; a branch.
static bool only_exit(const CodeFunction *f, uint32_t loop, Pair *out) {
  Pairs exits = {0};
  unsigned n = 0;
  loop_exits(f->loops, loop, &exits);
  for (vec_each(i, &exits)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(f->cfg, exits.at[i].item));
    if (f->leaves[exits.at[i].item] || LLVMIsAUnreachableInst(end)) continue;
    *out = exits.at[i];
    n++;
  }
  vec_free(&exits);
  if (n != 1) return false;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(f->cfg, out->owner));
  return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
         LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
}

// Whether the loop is left once the load gives this value. False: it is not, or it depends on more. *known:
// which.
static bool leaves_on(Handmade *h, const CodeFunction *f, Pair exit, LLVMValueRef load, Bv value,
                      bool *known) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(f->cfg, exit.owner));
  Bv loaded = flow_term(h->flow, load, load, 1, NULL),
     truth = flow_term(h->flow, LLVMGetCondition(end), end, 1, NULL);
  uint64_t is;
  assert(exit.owner < cfg_count(f->cfg) && exit.item < cfg_count(f->cfg));
  *known = false;
  if (truth == BV_NONE || loaded == BV_NONE || bv_at(flow_terms(h->flow), loaded).op != BV_VAR) return false;
  truth = bv_substitute(flow_terms(h->flow), truth, loaded, value);
  *known = bv_is_const(flow_terms(h->flow), truth, &is);
  return *known && LLVMGetSuccessor(end, is ? 0 : 1) == cfg_block(f->cfg, exit.item);
}

static bool meets(const Handmade *h, const Access *x, const Access *y) {
  for (vec_each(i, &x->ranges))
    for (vec_each(k, &y->ranges))
      if (alias_ranges_meet(flow_aliases(h->flow), &x->ranges.at[i], &y->ranges.at[k])) return true;
  return false;
}

static Bv stored_by(Handmade *h, const Access *w) {
  if (!LLVMIsAStoreInst(w->inst)) return BV_NONE;
  return flow_term(h->flow, LLVMGetOperand(w->inst, 0), w->inst, 3, NULL);
}

static bool runs_once(const Access *w) {
  const CodeFunction *f = w->function;
  uint32_t b = cfg_of(f->cfg, w->inst);
  return f->root && loops_of(f->loops, b) == LOOP_NONE && loops_irreducible(f->loops, b) == LOOP_NONE;
}

// The one store that makes the loop end; NULL: none, or not one.
static const Access *ender(Handmade *h, const Access *load, Pair exit) {
  const Access *found = NULL;
  bool known;
  unsigned width = bv_at(flow_terms(h->flow), flow_term(h->flow, load->inst, load->inst, 1, NULL)).width;
  Bv first = flow_initial(h->flow, load);
  if (first == BV_NONE || bv_at(flow_terms(h->flow), first).width != width) return NULL;
  if (leaves_on(h, load->function, exit, load->inst, first, &known) || !known) return NULL;
  IdVec writers = {0};
  bool one = true;
  accesses_writers(flow_accesses(h->flow), load, &writers);
  for (size_t i = 0; i < writers.len && one; ++i) {
    const Access *w = accesses_at(flow_accesses(h->flow), writers.at[i]);
    if (!meets(h, w, load)) continue;
    Bv value = stored_by(h, w);
    if (value == BV_NONE || bv_at(flow_terms(h->flow), value).width != width) one = false;
    bool ends = one && leaves_on(h, load->function, exit, load->inst, value, &known);
    if (one && (!known || (ends && (found || !releases(w->inst) || !runs_once(w))))) one = false;
    if (ends) found = w;
  }
  vec_free(&writers);
  return one ? found : NULL;
}

static void see(Handmade *h, const Access *load) {
  const CodeFunction *f = load->function;
  Pair exit;
  if (!acquires(load->inst) || !f->root || !load->pointer) return;
  uint32_t block = cfg_of(f->cfg, load->inst), loop = loops_of(f->loops, block);
  if (loop == LOOP_NONE || loops_irreducible(f->loops, block) != LOOP_NONE || !only_exit(f, loop, &exit))
    return;
  if (!dom_of(f->dom, block, exit.owner) || !dom_edge(f->dom, exit.owner, exit.item, exit.item)) return;
  const Access *store = ender(h, load, exit);
  assert(!store || store->function != f || store->inst != load->inst);
  assert(load->regions.len == 1);
  Handoff x = {store, f, exit.item, load->regions.at[0]};
  if (store) vec_push(&h->all, x);
}

// -- guards of local statics. Who finds the guard set, by an acquire load and without a call, comes behind
// its release.

static bool is_release(const Access *w, LLVMValueRef guard) {
  const Sync *s = call_is(w->inst) ? sync_of_call(w->inst) : NULL;
  return s && s->kind == SYNC_ONCE_END && w->pointer == guard && (w->kind & ALIAS_WRITES);
}

// The one that the schedule holds; NULL: there is none, or several.
static const Access *release_of(const Handmade *h, LLVMValueRef guard) {
  const Access *found = NULL;
  for (size_t i = 0; i < accesses_count(flow_accesses(h->flow)); ++i) {
    const Access *w = accesses_at(flow_accesses(h->flow), i);
    if (!w->regions.len || !is_release(w, guard)) continue;
    if (found || w->regions.len != 1) return NULL;
    found = w;
  }
  return found;
}

// Where the branch on a comparison of the loaded byte with 0 goes if it is set; NULL: it is not such a load.
static LLVMBasicBlockRef way_if_set(LLVMValueRef load) {
  LLVMUseRef use = LLVMGetFirstUse(load);
  LLVMValueRef compare = use ? LLVMGetUser(use) : NULL;
  if (!compare || LLVMGetNextUse(use) || !LLVMIsAICmpInst(compare) || !LLVMIsNull(LLVMGetOperand(compare, 1)))
    return NULL;
  bool equal = LLVMGetICmpPredicate(compare) == LLVMIntEQ;
  if (!equal && LLVMGetICmpPredicate(compare) != LLVMIntNE) return NULL;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(load));
  bool branches = LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMGetCondition(end) == compare;
  return branches ? LLVMGetSuccessor(end, equal ? 1 : 0) : NULL;
}

static bool is_guard(LLVMValueRef v) {
  static const char prefix[] = "_ZGV";
  size_t len;
  return LLVMIsAGlobalVariable(v) && !strncmp(LLVMGetValueName2(v, &len), prefix, sizeof prefix - 1);
}

static void see_guard(Handmade *h, const Access *load) {
  const CodeFunction *f = load->function;
  if (!acquires(load->inst) || !load->pointer || !is_guard(load->pointer) || load->regions.len != 1) return;
  LLVMBasicBlockRef set = way_if_set(load->inst);
  const Access *release = set ? release_of(h, load->pointer) : NULL;
  if (!release) return;
  uint32_t from = cfg_of(f->cfg, load->inst), behind = cfg_id(f->cfg, set);
  if (!dom_edge(f->dom, from, behind, behind)) return;
  vec_push(&h->all, ((Handoff){release, f, behind, load->regions.at[0]}));
}

Handmade *handmade_new(Flow *f) {
  Handmade *h = mem_alloc(sizeof *h);
  const Accesses *all = flow_accesses(f);
  h->flow = f;
  for (size_t i = 0; i < accesses_count(all); ++i) see(h, accesses_at(all, i));
  for (size_t i = 0; i < accesses_count(all); ++i) see_guard(h, accesses_at(all, i));
  return h;
}

void handmade_free(Handmade *h) {
  if (!h) return;
  vec_free(&h->all);
  mem_free(h);
}

static bool all_before(const Handmade *h, const Access *x, Region r) {
  for (vec_each(i, &x->regions))
    if (!code_before(flow_code(h->flow), x->regions.at[i], r, true)) return false;
  return x->regions.len > 0;
}
// The thread may not have come by the loop at all.
static bool all_behind(const Handmade *h, const Handoff *o, const Access *y) {
  Region r = o->region;
  if (!code_passed(flow_code(h->flow), o->waiter, o->behind, r)) return false;
  for (vec_each(i, &y->regions))
    if (!code_before(flow_code(h->flow), r, y->regions.at[i], true)) return false;
  return y->regions.len > 0;
}

bool handmade_before(const Handmade *h, const Access *x, const Access *y) {
  assert(x->function && y->function);
  for (vec_each(i, &h->all)) {
    const Handoff *o = &h->all.at[i];
    bool before = all_before(h, x, o->store->regions.at[0]) ||
                  (x->function == o->store->function && flow_before(h->flow, x->inst, o->store->inst));
    bool behind = all_behind(h, o, y) || (y->function == o->waiter &&
                                          dom_of(o->waiter->dom, o->behind, cfg_of(o->waiter->cfg, y->inst)));
    if (before && behind) return true;
  }
  return false;
}

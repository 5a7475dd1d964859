// What the branches on the way to a place say: an edge that every path to it takes was taken last time.
#include "knower.h"
#include <assert.h>

static LLVMValueRef terminator(const CodeFunction *f, uint32_t b) {
  return LLVMGetBasicBlockTerminator(cfg_block(f->cfg, b));
}

// The truth that the edge from d to b stands for; BV_NONE: none.
static Bv edge_fact(Known *v, const CodeFunction *f, uint32_t d, uint32_t b, const Point *p) {
  LLVMValueRef end = terminator(f, d);
  if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end)) return BV_NONE;
  if (LLVMIsABranchInst(end) && !LLVMIsConditional(end)) return BV_NONE;
  if (!dom_edge(f->dom, d, b, b)) return BV_NONE;
  Bv of = known_eval(v, LLVMIsABranchInst(end) ? LLVMGetCondition(end) : LLVMGetOperand(end, 0), p);
  if (of == BV_NONE) return BV_NONE;
  assert(!LLVMIsABranchInst(end) || bv_at(v->t, of).width == 1);
  if (LLVMIsABranchInst(end)) return LLVMGetSuccessor(end, 0) == cfg_block(f->cfg, b) ? of : bv_not(v->t, of);
  unsigned w = bv_at(v->t, of).width;
  Bv all = bv_const(v->t, 1, 1);
  for (unsigned i = 1; i < LLVMGetNumSuccessors(end); ++i) {
    Bv is = bv_op(v->t, BV_EQ, of, bv_const(v->t, w, LLVMConstIntGetZExtValue(LLVMGetOperand(end, 2 * i))));
    if (LLVMGetSuccessor(end, i) == cfg_block(f->cfg, b)) return is;
    all = bv_op(v->t, BV_AND, all, bv_not(v->t, is));
  }
  return all;
}

void known_own_facts(Known *v, const Point *p, BvVec *out) {
  const CodeFunction *f = p->function;
  uint32_t b = cfg_of(f->cfg, p->inst);
  if (!dom_depth(f->dom, b)) return;
  for (uint32_t d = dom_parent(f->dom, b); d != DOM_NONE; b = d, d = dom_parent(f->dom, b)) {
    Bv fact = edge_fact(v, f, d, b, p);
    if (fact != BV_NONE && !bv_is(v->t, fact, 1)) vec_push(out, fact);
  }
}

// -- of branches that other threads have taken

void known_learn(Known *v, const Access *store) {
  const CodeFunction *f = store->function;
  uint32_t b = cfg_of(f->cfg, store->inst);
  if (!f->root || !dom_depth(f->dom, b)) return;
  for (uint32_t d = dom_parent(f->dom, b); d != DOM_NONE; b = d, d = dom_parent(f->dom, b)) {
    uint64_t key = map_key(cfg_block(f->cfg, b));
    if (map_or(v->learned, key, 0)) return;
    map_put(v->learned, key, 1);
    if (loops_of(f->loops, b) != LOOP_NONE || loops_irreducible(f->loops, b) != LOOP_NONE) continue;
    Point p = {LLVMGetFirstInstruction(cfg_block(f->cfg, b)), f, 3};
    Bv fact = edge_fact(v, f, d, b, &p);
    uint64_t is;
    if (fact == BV_NONE || bv_is_const(v->t, fact, &is) || known_variant(v, fact)) continue;
    assert(bv_at(v->t, fact).width == 1);
    Passed one = {f, b, map_or(v->passed_by, fact, 0)};
    vec_push(&v->passed, one);
    map_put(v->passed_by, fact, v->passed.len);
  }
}

static bool was_passed(const Known *v, const Passed *p, LLVMValueRef inst) {
  const CodeFunction *f = code_of(v->code, LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)));
  if (f == p->function) return dom_of(f->dom, p->block, cfg_of(f->cfg, inst));
  Region at = {p->function->thread, p->function->from[p->block], p->function->to[p->block]};
  if (!f->root || !code_passed(v->code, p->function, p->block, at)) return false;
  Regions here = {0};
  code_regions(v->code, inst, &here);
  bool before = here.len > 0;
  for (vec_each(i, &here)) before &= code_before(v->code, at, here.at[i], false);
  vec_free(&here);
  return before;
}

static bool is_passed(const Known *v, LLVMValueRef inst, Bv truth) {
  for (uint64_t i = map_or(v->passed_by, truth, 0); i; i = v->passed.at[i - 1].before)
    if (was_passed(v, &v->passed.at[i - 1], inst)) return true;
  return false;
}

bool known_implied(const Known *v, LLVMValueRef inst, Bv truth, bool *is) {
  uint64_t constant;
  if (truth == BV_NONE || bv_is_const(v->t, truth, &constant)) return false;
  *is = is_passed(v, inst, truth);
  return *is || is_passed(v, inst, bv_not(v->t, truth));
}

// Up the dominators to a block of which it is known.
bool known_dead(Known *v, LLVMValueRef at) {
  const CodeFunction *f = code_of(v->code, LLVMGetBasicBlockParent(LLVMGetInstructionParent(at)));
  uint32_t b = cfg_of(f->cfg, at);
  IdVec way = {0};
  uint32_t dead = 0;
  if (!dom_depth(f->dom, b)) return true;
  for (; b != DOM_NONE; b = dom_parent(f->dom, b)) {
    KnownKept kept = known_recall(v, map_or(v->dead, map_key(cfg_block(f->cfg, b)), KNOWN_ABSENT), &dead);
    if (kept != KNOWN_NOT_YET) break;
    vec_push(&way, b);
  }
  while (way.len) {
    b = vec_pop(&way);
    uint32_t d = dom_parent(f->dom, b);
    uint64_t key = map_key(cfg_block(f->cfg, b));
    Point p = {LLVMGetFirstInstruction(cfg_block(f->cfg, b)), f, 1};
    unsigned outer;
    map_put(v->dead, key, known_begin(v, &outer));
    Bv fact = dead || d == DOM_NONE ? BV_NONE : edge_fact(v, f, d, b, &p);
    dead = dead || (fact != BV_NONE && bv_is(v->t, fact, 0));
    known_keep(v, v->dead, key, dead, outer);
  }
  vec_free(&way);
  return dead != 0;
}

// -- of all that is known, what matters

typedef struct {
  const Known *v;
  Map *seen;  // terms
  Map *vars;
} Reach;

static bool reach(Reach *r, Bv x, BvVec *vars, unsigned *left) {
  if (!*left) return false;
  --*left;
  if (map_or(r->seen, x, 0)) return true;
  map_put(r->seen, x, 1);
  BvTerm e = bv_at(r->v->t, x);
  if (e.op == BV_VAR) vec_push(vars, x);
  Bv parts[] = {e.a, e.b, e.c};
  for (int i = 0; i < 3; ++i)
    if (parts[i] != BV_NONE && !reach(r, parts[i], vars, left)) return false;
  return true;
}

// The variables of a term; false: too large to look at.
static bool vars_of(const Known *v, Bv x, BvVec *out) {
  Reach r = {v, map_new(), NULL};
  unsigned left = LIMIT_FACT_TERMS;
  bool ok = reach(&r, x, out, &left);
  map_free(r.seen);
  return ok;
}

static bool meets(const Map *marked, const BvVec *vars) {
  for (vec_each(i, vars))
    if (map_or(marked, vars->at[i], 0)) return true;
  return false;
}

static void mark_all(Map *marked, const BvVec *vars) {
  for (vec_each(i, vars)) map_put(marked, vars->at[i], 1);
}

typedef struct {
  Bv truth;
  BvVec vars;
  bool taken;
} Offer;
typedef Vec(Offer) Offers;

static void offer(const Known *v, Offers *all, Bv truth) {
  Offer o = {.truth = truth};
  if (vars_of(v, truth, &o.vars) && o.vars.len)
    vec_push(all, o);
  else
    vec_free(&o.vars);
}

static void choose(const Known *v, Offers *all, Map *marked, BvVec *out) {
  for (bool more = true; more && out->len < LIMIT_FACTS;) {
    more = false;
    for (size_t i = 0; i < all->len && out->len < LIMIT_FACTS; ++i) {
      Offer *o = &all->at[i];
      if (o->taken || !meets(marked, &o->vars)) continue;
      o->taken = more = true;
      mark_all(marked, &o->vars);
      vec_push(out, o->truth);
    }
    for (vec_each(i, &v->rounds)) {
      const Fact *f = &v->rounds.at[i];
      BvVec vars = {0}, about = {0};
      bool there = false;
      vars_of(v, f->about, &about);
      for (vec_each(k, out)) there |= out->at[k] == f->truth;
      if (!there && meets(marked, &about) && vars_of(v, f->truth, &vars)) {
        mark_all(marked, &vars);
        vec_push(out, f->truth);
        more = true;
      }
      vec_free(&vars), vec_free(&about);
    }
  }
}

static void offer_facts(Known *v, Point p, Offers *all) {
  while (true) {
    BvVec own = {0};
    known_own_facts(v, &p, &own);
    for (vec_each(i, &own)) offer(v, all, own.at[i]);
    vec_free(&own);
    if (!p.function->root || !p.function->thread) return;
    LLVMValueRef create = code_create(v->code, p.function->thread);
    if (!create) return;
    p = point_at(v, create, 0);
    if (!p.function->root) return;
  }
}

void known_facts(Known *v, LLVMValueRef at, unsigned side, const BvVec *terms, BvVec *out) {
  Offers all = {0};
  Map *marked = map_new();
  offer_facts(v, point_at(v, at, side), &all);
  for (vec_each(i, &v->input)) offer(v, &all, v->input.at[i]);
  for (vec_each(i, terms)) {
    BvVec vars = {0};
    vars_of(v, terms->at[i], &vars);
    mark_all(marked, &vars);
    vec_free(&vars);
  }
  choose(v, &all, marked, out);
  for (vec_each(i, &all)) vec_free(&all.at[i].vars);
  vec_free(&all);
  map_free(marked);
}

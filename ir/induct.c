#include "induct.h"
#include <assert.h>
#include "each.h"
#include "core/core.h"

struct Inducts {
  const Loops *loops;
  Vec(Induct) all;
  Vec(InductBound) bounds;
  Map *of_phi, *of_next;
  Lists bounds_of;  // by variable
};

__extension__ typedef __int128 Wide;

static bool in_loop(const Loops *l, uint32_t loop, LLVMValueRef v) {
  return LLVMIsAInstruction(v) && loop_has(l, loop, cfg_of(loops_cfg(l), v));
}

// Computes its result from its operands alone.
static bool is_pure(LLVMValueRef v) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || op == LLVMICmp || op == LLVMFCmp ||
         op == LLVMSelect || op == LLVMGetElementPtr || op == LLVMFNeg || op == LLVMExtractValue ||
         op == LLVMInsertValue;
}

bool inducts_invariant(const Loops *l, uint32_t loop, LLVMValueRef v) {
  LLVMValueRef work[LIMIT_INDUCTION * 4];
  unsigned len = 0, looked = 0;
  work[len++] = v;
  while (len) {
    LLVMValueRef at = work[--len];
    if (!in_loop(l, loop, at)) continue;
    unsigned operands = (unsigned)LLVMGetNumOperands(at);
    if (!is_pure(at) || ++looked > LIMIT_INDUCTION || len + operands > LIMIT_INDUCTION * 4) return false;
    for (unsigned i = 0; i < operands; ++i) work[len++] = LLVMGetOperand(at, i);
  }
  return true;
}

// What an instruction adds to its operand `of`, if that is a constant.
typedef struct {
  LLVMValueRef of;
  int64_t amount;
  LLVMTypeRef element;
  bool nsw, nuw, inbounds;
} Step;

static bool step_of_sum(LLVMValueRef v, Step *s) {
  bool minus = LLVMGetInstructionOpcode(v) == LLVMSub;
  unsigned number = !minus && LLVMIsAConstantInt(LLVMGetOperand(v, 0)) ? 0 : 1;
  LLVMValueRef c = LLVMIsAConstantInt(LLVMGetOperand(v, number));
  if (!c) return false;
  int64_t amount = LLVMConstIntGetSExtValue(c), zero = 0;
  if (minus && __builtin_sub_overflow(zero, amount, &amount)) return false;
  // With a negative constant, nuw speaks of adding a huge one.
  bool plain = minus ? amount <= 0 : amount >= 0;
  *s = (Step){LLVMGetOperand(v, 1 - number), amount, NULL, LLVMGetNSW(v), plain && LLVMGetNUW(v), false};
  return true;
}

static bool step_of(LLVMValueRef v, Step *s) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  if (op == LLVMAdd || op == LLVMSub) return step_of_sum(v, s);
  if (op != LLVMGetElementPtr || LLVMGetNumOperands(v) != 2 || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
    return false;
  *s = (Step){.of = LLVMGetOperand(v, 0), .amount = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1))};
  s->element = LLVMGetGEPSourceElementType(v);
  s->inbounds = LLVMIsInBounds(v);
  return true;
}

// Walks back from what a latch passes on, over constant steps and over phis that merge them, to the phi.
typedef struct {
  const Loops *loops;
  Induct *v;
  Map *seen;  // value to what is added to it on the way to the latch
  Vec(Step) work;
  bool found;
} StepTrace;

static bool push(StepTrace *t, LLVMValueRef value, int64_t amount) {
  uint64_t before;
  if (map_get(t->seen, map_key(value), &before)) return (int64_t)before == amount;
  if (map_count(t->seen) > LIMIT_INDUCTION) return false;
  map_put(t->seen, map_key(value), (uint64_t)amount);
  Step s = {.of = value, .amount = amount};
  vec_push(&t->work, s);
  return true;
}

static bool follow_phi(StepTrace *t, Step at) {
  if (LLVMGetInstructionParent(at.of) == LLVMGetInstructionParent(t->v->phi)) return false;
  for (unsigned i = 0; i < LLVMCountIncoming(at.of); ++i)
    if (!push(t, LLVMGetIncomingValue(at.of, i), at.amount)) return false;
  return true;
}

static bool follow_step(StepTrace *t, Step at) {
  Step s;
  int64_t amount;
  Induct *v = t->v;
  if (!step_of(at.of, &s) || __builtin_add_overflow(at.amount, s.amount, &amount)) return false;
  if (s.element && v->element && s.element != v->element) return false;
  v->element = s.element;
  v->nsw = v->nsw && s.nsw;
  v->nuw = v->nuw && s.nuw;
  v->inbounds = v->inbounds && s.inbounds;
  return push(t, s.of, amount);
}

static bool follow(StepTrace *t) {
  while (t->work.len) {
    Step at = vec_pop(&t->work);
    if (at.of == t->v->phi) {
      if (t->found && at.amount != t->v->amount) return false;
      t->found = true;
      t->v->amount = at.amount;
    } else if (!in_loop(t->loops, t->v->loop, at.of)) {
      return false;
    } else if (!(LLVMIsAPHINode(at.of) ? follow_phi(t, at) : follow_step(t, at))) {
      return false;
    }
  }
  return t->found;
}

// The i-th value of the phi, if its edge can be taken and comes from inside (outside) the loop; else NULL.
static LLVMValueRef incoming(const Loops *l, const Induct *v, unsigned i, bool inside) {
  uint32_t from = cfg_id(loops_cfg(l), LLVMGetIncomingBlock(v->phi, i));
  bool fits = cfg_place(loops_cfg(l), from) != CFG_NONE && loop_has(l, v->loop, from) == inside;
  return fits ? LLVMGetIncomingValue(v->phi, i) : NULL;
}

// NULL: several.
static LLVMValueRef common_incoming(const Loops *l, const Induct *v, bool inside) {
  LLVMValueRef common = NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(v->phi); ++i) {
    LLVMValueRef value = incoming(l, v, i, inside);
    if (!value) continue;
    if (common && common != value) return NULL;
    common = value;
  }
  return common;
}

static bool find_amount(const Loops *l, Induct *v) {
  StepTrace t = {.loops = l, .v = v, .seen = map_new()};
  v->nsw = v->nuw = v->inbounds = true;
  bool ok = true;
  for (unsigned i = 0; ok && i < LLVMCountIncoming(v->phi); ++i) {
    LLVMValueRef value = incoming(l, v, i, true);
    ok = !value || push(&t, value, 0);
  }
  ok = ok && follow(&t);
  map_free(t.seen);
  vec_free(&t.work);
  return ok;
}

// phi + step, phi - step or the address of phi[step], the step being invariant.
static bool find_step(const Loops *l, Induct *v) {
  LLVMValueRef n = v->next;
  if (!n || !LLVMIsAInstruction(n)) return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(n);
  bool pointer = op == LLVMGetElementPtr && LLVMGetNumOperands(n) == 2;
  if (!pointer && op != LLVMAdd && op != LLVMSub) return false;
  bool second = op == LLVMAdd && LLVMGetOperand(n, 1) == v->phi;
  if (LLVMGetOperand(n, second) != v->phi) return false;
  v->step = LLVMGetOperand(n, !second);
  v->minus = op == LLVMSub;
  v->element = pointer ? LLVMGetGEPSourceElementType(n) : NULL;
  v->nsw = !pointer && LLVMGetNSW(n);
  v->nuw = !pointer && LLVMGetNUW(n);
  v->inbounds = pointer && LLVMIsInBounds(n);
  return inducts_invariant(l, v->loop, v->step);
}

// Amounts are modulo the width: the sum of several steps may be too large for it.
static void normalize(Induct *v) {
  assert(LLVMGetIntTypeWidth(LLVMTypeOf(v->phi)) <= 64);
  unsigned unused = 64 - LLVMGetIntTypeWidth(LLVMTypeOf(v->phi));
  int64_t amount = (int64_t)((uint64_t)v->amount << unused) >> unused;
  if (amount != v->amount) v->nsw = v->nuw = false;
  v->amount = amount;
}

static void examine(Inducts *in, uint32_t loop, LLVMValueRef phi) {
  LLVMTypeRef type = LLVMTypeOf(phi);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool integer = kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
  if (!integer && kind != LLVMPointerTypeKind) return;
  Induct v = {.loop = loop, .phi = phi};
  v.start = common_incoming(in->loops, &v, false);
  v.next = common_incoming(in->loops, &v, true);
  if (find_amount(in->loops, &v)) {
    if (integer) normalize(&v);
    if (!v.amount) return;
  } else {
    v = (Induct){.loop = loop, .phi = phi, .start = v.start, .next = v.next};
    if (!find_step(in->loops, &v)) return;
  }
  if (v.element) v.nsw = v.nuw = false;
  if (!v.element) v.inbounds = false;
  map_put(in->of_phi, map_key(phi), in->all.len);
  if (v.next) map_put(in->of_next, map_key(v.next), in->all.len);
  vec_push(&in->all, v);
}

// An operand of a comparison: a variable before or after its step, perhaps widened.
static bool is_value(const Inducts *in, LLVMValueRef v, InductBound *b) {
  b->extended = 0;
  if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) {
    b->extended = LLVMGetInstructionOpcode(v);
    v = LLVMGetOperand(v, 0);
  }
  uint64_t i = 0;
  b->of_next = !map_get(in->of_phi, map_key(v), &i);
  if (b->of_next && !map_get(in->of_next, map_key(v), &i)) return false;
  b->induct = (uint32_t)i;
  b->loop = in->all.at[i].loop;
  return true;
}

static LLVMIntPredicate swapped(LLVMIntPredicate p) {
  switch (p) {
    case LLVMIntUGT:
      return LLVMIntULT;
    case LLVMIntUGE:
      return LLVMIntULE;
    case LLVMIntULT:
      return LLVMIntUGT;
    case LLVMIntULE:
      return LLVMIntUGE;
    case LLVMIntSGT:
      return LLVMIntSLT;
    case LLVMIntSGE:
      return LLVMIntSLE;
    case LLVMIntSLT:
      return LLVMIntSGT;
    case LLVMIntSLE:
      return LLVMIntSGE;
    default:
      return p;
  }
}

static LLVMIntPredicate negated(LLVMIntPredicate p) {
  switch (p) {
    case LLVMIntEQ:
      return LLVMIntNE;
    case LLVMIntNE:
      return LLVMIntEQ;
    case LLVMIntUGT:
      return LLVMIntULE;
    case LLVMIntUGE:
      return LLVMIntULT;
    case LLVMIntULT:
      return LLVMIntUGE;
    case LLVMIntULE:
      return LLVMIntUGT;
    case LLVMIntSGT:
      return LLVMIntSLE;
    case LLVMIntSGE:
      return LLVMIntSLT;
    case LLVMIntSLT:
      return LLVMIntSGE;
    default:
      return LLVMIntSGT;
  }
}

static bool always_passed(const Loops *l, uint32_t loop, uint32_t block) {
  if (loops_of(l, block) != loop || loops_irreducible(l, block) != LOOP_NONE) return false;
  Ids latches = loop_latches(l, loop);
  for (vec_each(i, &latches))
    if (!dom_of(loops_dom(l), block, latches.at[i])) return false;
  return true;
}

static void add_bound(Inducts *in, uint32_t block, LLVMValueRef compare, unsigned operand) {
  InductBound b = {.block = block, .stay = LLVMGetICmpPredicate(compare)};
  b.bound = LLVMGetOperand(compare, 1 - operand);
  if (!is_value(in, LLVMGetOperand(compare, operand), &b)) return;
  Ids to = cfg_succs(loops_cfg(in->loops), block);
  assert(to.len == 2);  // add_bounds takes conditional branches only
  bool yes = loop_has(in->loops, b.loop, to.at[0]), no = loop_has(in->loops, b.loop, to.at[1]);
  if (!loop_has(in->loops, b.loop, block) || yes == no) return;
  if (!inducts_invariant(in->loops, b.loop, b.bound)) return;
  if (operand == 1) b.stay = swapped(b.stay);
  if (no) b.stay = negated(b.stay);
  b.always = always_passed(in->loops, b.loop, block);
  vec_push(&in->bounds, b);
}

static void add_bounds(Inducts *in, uint32_t block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(loops_cfg(in->loops), block));
  if (loops_of(in->loops, block) == LOOP_NONE || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return;
  LLVMValueRef compare = LLVMIsAICmpInst(LLVMGetCondition(end));
  for (unsigned i = 0; compare && i < 2; ++i) add_bound(in, block, compare, i);
}

Inducts *inducts_new(const Loops *l) {
  Inducts *in = mem_alloc(sizeof *in);
  *in = (Inducts){.loops = l, .of_phi = map_new(), .of_next = map_new()};
  for (uint32_t i = 0; i < loops_count(l); ++i)
    for (all_insts(phi, cfg_block(loops_cfg(l), loop_header(l, i)))) {
      if (!LLVMIsAPHINode(phi)) break;
      examine(in, i, phi);
    }
  for (uint32_t b = 0; b < cfg_count(loops_cfg(l)); ++b) add_bounds(in, b);
  Pairs pairs = {0};
  for (vec_each(i, &in->bounds)) pairs_add(&pairs, in->bounds.at[i].induct, (uint32_t)i);
  in->bounds_of = lists_new((uint32_t)in->all.len, &pairs);
  vec_free(&pairs);
  CHECKED(inducts_check(in));
  return in;
}

void inducts_free(Inducts *in) {
  if (!in) return;
  vec_free(&in->all);
  vec_free(&in->bounds);
  map_free(in->of_phi);
  map_free(in->of_next);
  lists_free(&in->bounds_of);
  mem_free(in);
}

size_t inducts_count(const Inducts *in) {
  return in->all.len;
}
const Induct *inducts_at(const Inducts *in, size_t i) {
  assert(i < in->all.len);
  return &in->all.at[i];
}
const Induct *inducts_find(const Inducts *in, LLVMValueRef phi) {
  uint64_t i;
  return map_get(in->of_phi, map_key(phi), &i) ? &in->all.at[i] : NULL;
}
size_t inducts_bounds(const Inducts *in) {
  return in->bounds.len;
}
const InductBound *inducts_bound(const Inducts *in, size_t i) {
  assert(i < in->bounds.len);
  return &in->bounds.at[i];
}

// The largest (smallest, if the variable shrinks) value with which the test lets the loop go on.
static bool extreme(const InductBound *b, bool grows, Wide least, Wide most, Wide *value) {
  LLVMIntPredicate p = b->stay;
  bool is_signed = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE;
  bool strict = p == LLVMIntSLT || p == LLVMIntULT || p == LLVMIntSGT || p == LLVMIntUGT;
  bool above = p == LLVMIntSLT || p == LLVMIntULT || p == LLVMIntSLE || p == LLVMIntULE;
  if (p == LLVMIntEQ || p == LLVMIntNE || above != grows) return false;
  LLVMValueRef c = LLVMIsAConstantInt(b->bound);
  if (c && LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64) return false;
  if (c)
    *value = is_signed ? (Wide)LLVMConstIntGetSExtValue(c) : (Wide)LLVMConstIntGetZExtValue(c);
  else if (!b->extended)
    *value = grows ? most : least;
  else
    return false;
  if (strict) *value += grows ? -1 : 1;
  if (*value > most) *value = most;
  if (*value < least) *value = least;
  return true;
}

static bool of_order(const InductBound *b, bool is_signed) {
  LLVMIntPredicate p = b->stay;
  bool compares_signed = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE;
  if (b->extended == LLVMZExt)
    return !is_signed;  // in the wider type both orders are that of the unsigned value
  return compares_signed == is_signed;
}

// Not negative at first and growing as a signed number: the same as an unsigned one.
static bool stays_positive(const Inducts *in, const Induct *v) {
  LLVMValueRef start = v->start ? LLVMIsAConstantInt(v->start) : NULL;
  return start && LLVMConstIntGetSExtValue(start) >= 0 && v->amount > 0 && inducts_monotone(in, v, true);
}

bool inducts_monotone(const Inducts *in, const Induct *v, bool is_signed) {
  assert(v >= in->all.at && v < in->all.at + in->all.len);
  if (v->step || v->element) return false;
  if (is_signed ? v->nsw : v->nuw || stays_positive(in, v)) return true;
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(v->phi));
  Wide one = 1, most = (one << (width - is_signed)) - 1, least = is_signed ? -most - 1 : 0, value;
  Ids bounds = lists_of(&in->bounds_of, (uint32_t)(v - in->all.at));
  for (vec_each(i, &bounds)) {
    const InductBound *b = &in->bounds.at[bounds.at[i]];
    if (b->of_next || !b->always || !of_order(b, is_signed)) continue;
    if (!extreme(b, v->amount > 0, least, most, &value)) continue;
    if (value + v->amount <= most && value + v->amount >= least) return true;
  }
  return false;
}

static void check_one(const Inducts *in, size_t i) {
  const Induct *v = &in->all.at[i];
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(v->phi)) == LLVMPointerTypeKind;
  assert(!i || in->all.at[i - 1].loop <= v->loop);
  assert(LLVMIsAPHINode(v->phi));
  assert(cfg_of(loops_cfg(in->loops), v->phi) == loop_header(in->loops, v->loop));
  assert(inducts_find(in, v->phi) == v);
  assert(!v->next || map_or(in->of_next, map_key(v->next), UINT64_MAX) == i);
  assert(!v->step == (v->amount != 0));
  assert(!v->step || v->next);
  assert(!v->minus || v->step);
  assert(pointer == (v->element != NULL));
  assert(pointer ? !v->nsw && !v->nuw : !v->inbounds);
}

static void check_bound(const Inducts *in, size_t i) {
  const InductBound *b = &in->bounds.at[i];
  assert(!i || in->bounds.at[i - 1].block <= b->block);
  assert(b->induct < in->all.len);
  assert(b->loop == in->all.at[b->induct].loop);
  assert(loop_has(in->loops, b->loop, b->block));
  assert(!b->of_next || in->all.at[b->induct].next);
  assert(!b->extended || b->extended == LLVMSExt || b->extended == LLVMZExt);
  assert(b->stay >= LLVMIntEQ && b->stay <= LLVMIntSLE);
  assert(!b->always || loops_of(in->loops, b->block) == b->loop);
}

void inducts_check(const Inducts *in) {
  size_t nexts = 0;
  for (vec_each(i, &in->all)) {
    check_one(in, i);
    nexts += in->all.at[i].next != NULL;
  }
  assert(map_count(in->of_phi) == in->all.len);
  assert(map_count(in->of_next) == nexts);
  for (vec_each(i, &in->bounds)) check_bound(in, i);
  lists_check(&in->bounds_of, (uint32_t)in->all.len, in->bounds.len);
  for (uint32_t v = 0; v < in->all.len; ++v) {
    Ids bounds = lists_of(&in->bounds_of, v);
    assert(ids_ascend(bounds));
    for (vec_each(i, &bounds)) assert(in->bounds.at[bounds.at[i]].induct == v);
  }
  assert(in->bounds_of.first[in->all.len] == in->bounds.len);
}

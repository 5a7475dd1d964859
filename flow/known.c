#include "knower.h"
#include "shared.h"
#include <assert.h>
#include <limits.h>
#include <llvm-c/Target.h>

Known *known_new(const Code *c, const Alias *a, const Accesses *accesses, bool volatile_known) {
  Known *v = mem_alloc(sizeof *v);
  v->code = c, v->alias = a, v->accesses = accesses, v->volatile_known = volatile_known;
  v->module = LLVMGetGlobalParent(code_at(c, 0)->function);
  v->layout = LLVMGetModuleDataLayout(v->module), v->shares = shared_maps(v->module);
  v->t = bvs_new(), v->lowest = UINT_MAX;
  v->memo = map_new(), v->vars = map_new(), v->dead = map_new(), v->places = map_new();
  v->defined = map_new(), v->passed_by = map_new(), v->learned = map_new();
  for (size_t i = 0; i < code_count(c); ++i)
    for (all_blocks(b, code_at(c, i)->function)) {
      uint64_t n = 0;
      for (all_insts(k, b)) map_put(v->places, map_key(k), n++);
    }
  return v;
}

void known_free(Known *v) {
  if (!v) return;
  bvs_free(v->t);
  map_free(v->memo), map_free(v->vars), map_free(v->dead), map_free(v->places), map_free(v->defined),
      map_free(v->passed_by), map_free(v->learned);
  vec_free(&v->passed), vec_free(&v->resting);
  vec_free(&v->input), vec_free(&v->left);
  for (vec_each(i, &v->infos)) vec_free(&v->infos.at[i].objects);
  vec_free(&v->infos), vec_free(&v->variant), vec_free(&v->rounds);
  mem_free(v);
}

static void check_fact(const Known *v, const Fact *f) {
  assert(f->truth < bvs_count(v->t) && bv_at(v->t, f->truth).width == 1);
  assert(f->about == BV_NONE || f->about < bvs_count(v->t));
}

void known_check(const Known *v) {
  assert(!v->depth && !v->resting.len && v->variant.len <= bvs_count(v->t));
  for (vec_each(i, &v->rounds)) check_fact(v, &v->rounds.at[i]);
  for (vec_each(i, &v->input)) assert(bv_at(v->t, v->input.at[i]).width == 1);
  for (vec_each(i, &v->infos)) {
    const VarInfo *x = &v->infos.at[i];
    assert(!x->objects.len || x->bounded);
    for (vec_each(k, &x->objects)) assert(x->objects.at[k] < alias_count(v->alias));
  }
  for (vec_each(i, &v->passed)) {
    const Passed *p = &v->passed.at[i];
    assert(p->before <= i && p->function->root && p->block < cfg_count(p->function->cfg));
  }
}

Bvs *known_terms(const Known *v) {
  return v->t;
}

static LLVMValueRef function_of(LLVMValueRef inst) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

Point point_at(const Known *v, LLVMValueRef inst, unsigned side) {
  assert(LLVMIsAInstruction(inst) && side <= 3);
  return (Point){inst, code_of(v->code, function_of(inst)), side};
}

bool known_earlier(const Known *v, LLVMValueRef a, LLVMValueRef b) {
  assert(LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b));
  return map_or(v->places, map_key(a), 0) < map_or(v->places, map_key(b), 0);
}

unsigned known_width(const Known *v, LLVMTypeRef type) {
  (void)v;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return 64;
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return 0;
  unsigned w = LLVMGetIntTypeWidth(type);
  return w <= 64 ? w : 0;
}

// -- variables

static uint64_t var_key(LLVMValueRef of, VarClass kind, unsigned side) {
  return map_key(of) ^ (uint64_t)kind << 58 ^ (uint64_t)side << 56;
}

Bv known_var(Known *v, unsigned width, VarClass kind, LLVMValueRef of, unsigned side) {
  uint64_t key, name = var_key(of, kind, side);
  if (!map_get(v->vars, name, &key)) {
    VarInfo info = {
        .object = kind == VAR_OBJECT ? of : NULL, .variant = side != 0, .round = kind == VAR_ROUND};
    key = v->infos.len;
    map_put(v->vars, name, key);
    vec_push(&v->infos, info);
  }
  return bv_var(v->t, width, key);
}

uint64_t known_fresh(Known *v) {
  VarInfo info = {0};
  vec_push(&v->infos, info);
  return v->infos.len - 1;
}
void known_define(Known *v, LLVMValueRef x, Bv value) {
  assert(value < bvs_count(v->t) && bv_at(v->t, value).width == known_width(v, LLVMTypeOf(x)));
  map_put(v->defined, map_key(x), value);
}
void known_written(Known *v, LLVMValueRef call, LLVMValueRef pointer, Bv value) {
  vec_push(&v->left, ((Left){call, pointer, value}));
}
void known_fact(Known *v, Bv truth) {
  assert(bv_at(v->t, truth).width == 1);
  vec_push(&v->input, truth);
}

LLVMValueRef known_object(const Known *v, Bv x) {
  BvTerm e = bv_at(v->t, x);
  assert(e.op != BV_VAR || e.value < v->infos.len);
  return e.op == BV_VAR ? v->infos.at[e.value].object : NULL;
}

bool known_round(const Known *v, Bv x) {
  BvTerm e = bv_at(v->t, x);
  return e.op == BV_VAR && v->infos.at[e.value].round;
}

bool known_variant(Known *v, Bv x) {
  while (v->variant.len <= x) vec_push(&v->variant, 0);
  if (v->variant.at[x]) return v->variant.at[x] == 2;
  BvTerm e = bv_at(v->t, x);
  bool is = e.op == BV_VAR && v->infos.at[e.value].variant;
  Bv parts[] = {e.a, e.b, e.c};
  for (int i = 0; i < 3 && !is; ++i) is = parts[i] != BV_NONE && known_variant(v, parts[i]);
  v->variant.at[x] = is ? 2 : 1;
  return is;
}

static void add_object(const Known *v, LLVMValueRef value, IdVec *out) {
  AliasRanges r = {0};
  alias_points_to(v->alias, value, &r);
  for (vec_each(i, &r)) vec_push(out, r.at[i].object);
  vec_free(&r);
}

bool known_objects(const Known *v, Bv address, IdVec *out) {
  Linear l;
  size_t found = 0;
  if (!linear_of(v->t, address, &l)) return false;
  for (unsigned i = 0; i < l.count; ++i) {
    BvTerm e = bv_at(v->t, l.part[i].atom);
    const VarInfo *info = e.op == BV_VAR ? &v->infos.at[e.value] : NULL;
    if (!info || (!info->object && !info->bounded)) continue;
    if (found++ || l.part[i].factor != 1) return false;
    if (info->object) add_object(v, info->object, out);
    vec_append(out, info->objects.at, info->objects.len);
  }
  return found || (!l.count && !l.constant);
}

bool known_apart(const Known *v, Bv x, Bv y) {
  IdVec a = {0}, b = {0};
  bool apart = known_objects(v, x, &a) && known_objects(v, y, &b);
  for (size_t i = 0; i < a.len && apart; ++i)
    for (size_t k = 0; k < b.len && apart; ++k) apart = a.at[i] && a.at[i] != b.at[k] && b.at[k];
  vec_free(&a), vec_free(&b);
  return apart;
}

bool known_single(const Known *v, Bv x) {
  return !known_variant((Known *)(uintptr_t)v, x);
}

// A value that a loop around the asking place computes anew each time is of that side; and so is all in
// functions that run more than once.
unsigned known_side(const Known *v, LLVMValueRef inst, const Point *p) {
  const CodeFunction *f = code_of(v->code, function_of(inst));
  if (!f || !f->root) return p->side;
  uint32_t block = cfg_of(f->cfg, inst);
  if (loops_irreducible(f->loops, block) != LOOP_NONE) return p->side;
  if (f != p->function) return 0;
  uint32_t here = cfg_of(f->cfg, p->inst);
  for (uint32_t l = loops_of(f->loops, block); l != LOOP_NONE; l = loop_parent(f->loops, l))
    if (loop_has(f->loops, l, here)) return p->side;
  return 0;
}

static Bv opaque(Known *v, LLVMValueRef x, const Point *p, unsigned width) {
  unsigned side = LLVMIsAInstruction(x) ? known_side(v, x, p) : p->side;
  if (LLVMIsAArgument(x)) {
    const CodeFunction *f = code_of(v->code, LLVMGetParamParent(x));
    side = f && f->root ? 0 : p->side;
  }
  return known_var(v, width, VAR_VALUE, x, side);
}

// -- constants

static Bv eval_gep(Known *v, LLVMValueRef x, const Point *p);

static Bv eval_cast(Known *v, LLVMOpcode op, LLVMValueRef x, const Point *p) {
  unsigned width = known_width(v, LLVMTypeOf(x));
  Bv of = known_eval(v, LLVMGetOperand(x, 0), p);
  if (!width || of == BV_NONE) return BV_NONE;
  switch (op) {
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
      return bv_resize(v->t, of, width, false);
    case LLVMSExt:
      return bv_resize(v->t, of, width, true);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
      return bv_at(v->t, of).width == width ? of : BV_NONE;
    default:
      return BV_NONE;
  }
}

static Bv eval_binary(Known *v, LLVMOpcode op, LLVMValueRef x, const Point *p) {
  static const struct {
    LLVMOpcode from;
    BvOp to;
  } table[] = {{LLVMAdd, BV_ADD},   {LLVMSub, BV_SUB},   {LLVMMul, BV_MUL},   {LLVMUDiv, BV_UDIV},
               {LLVMSDiv, BV_SDIV}, {LLVMURem, BV_UREM}, {LLVMSRem, BV_SREM}, {LLVMAnd, BV_AND},
               {LLVMOr, BV_OR},     {LLVMXor, BV_XOR},   {LLVMShl, BV_SHL},   {LLVMLShr, BV_LSHR},
               {LLVMAShr, BV_ASHR}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (table[i].from != op) continue;
    Bv a = known_eval(v, LLVMGetOperand(x, 0), p), b = known_eval(v, LLVMGetOperand(x, 1), p);
    if (a == BV_NONE || b == BV_NONE) return BV_NONE;
    bool divides = table[i].to >= BV_UDIV && table[i].to <= BV_SREM;
    if (divides && bv_is(v->t, a, 0)) return a;  // a division by zero is no execution
    return bv_op(v->t, table[i].to, a, b);
  }
  return BV_NONE;
}

static Bv compare(Known *v, LLVMIntPredicate how, Bv a, Bv b) {
  switch (how) {
    case LLVMIntEQ:
      return bv_op(v->t, BV_EQ, a, b);
    case LLVMIntNE:
      return bv_not(v->t, bv_op(v->t, BV_EQ, a, b));
    case LLVMIntULT:
      return bv_op(v->t, BV_ULT, a, b);
    case LLVMIntULE:
      return bv_op(v->t, BV_ULE, a, b);
    case LLVMIntUGT:
      return bv_op(v->t, BV_ULT, b, a);
    case LLVMIntUGE:
      return bv_op(v->t, BV_ULE, b, a);
    case LLVMIntSLT:
      return bv_op(v->t, BV_SLT, a, b);
    case LLVMIntSLE:
      return bv_op(v->t, BV_SLE, a, b);
    case LLVMIntSGT:
      return bv_op(v->t, BV_SLT, b, a);
    case LLVMIntSGE:
      return bv_op(v->t, BV_SLE, b, a);
  }
  return BV_NONE;
}

// Addresses of user space are neither near its beginning nor near that of the other half: a little ahead of
// an object and anywhere behind its beginning, they do not wrap around.
static bool is_in(Known *v, Bv x, Bv *object, int64_t *offset) {
  Linear l;
  if (bv_at(v->t, x).width != 64 || !linear_of(v->t, x, &l) || l.count != 1) return false;
  *object = l.part[0].atom, *offset = (int64_t)l.constant;
  return l.part[0].factor == 1 && known_object(v, *object) && *offset > -4096 && *offset < INT32_MAX;
}

// Of two places in one object, as numbers of the object.
static Bv compare_places(Known *v, LLVMIntPredicate how, Bv a, Bv b) {
  Bv x, y;
  int64_t p, q;
  if (!is_in(v, a, &x, &p) || !is_in(v, b, &y, &q) || x != y) return compare(v, how, a, b);
  return compare(v, how, bv_const(v->t, 64, (uint64_t)p + 4096), bv_const(v->t, 64, (uint64_t)q + 4096));
}

static Bv eval_compare(Known *v, LLVMValueRef x, const Point *p) {
  Bv a = known_eval(v, LLVMGetOperand(x, 0), p), b = known_eval(v, LLVMGetOperand(x, 1), p);
  if (a == BV_NONE || b == BV_NONE) return BV_NONE;
  Bv truth = compare_places(v, LLVMGetICmpPredicate(x), a, b);
  bool is;
  if (!LLVMIsAInstruction(x) || !known_implied(v, x, truth, &is)) return truth;
  return bv_const(v->t, 1, is);
}

static Bv eval_constant(Known *v, LLVMValueRef x, const Point *p) {
  unsigned width = known_width(v, LLVMTypeOf(x));
  if (!width) return BV_NONE;
  if (LLVMIsAConstantInt(x)) return bv_const(v->t, width, LLVMConstIntGetZExtValue(x));
  if (LLVMIsAConstantPointerNull(x)) return bv_const(v->t, width, 0);
  if (LLVMIsAGlobalAlias(x)) return known_eval(v, call_strip(x), p);
  if (linked_is(x)) return opaque(v, x, p, width);  // an address in something else
  if (LLVMIsAGlobalValue(x))
    return known_var(v, width, VAR_OBJECT, x, LLVMIsAGlobalVariable(x) && LLVMIsThreadLocal(x) ? p->side : 0);
  if (!LLVMIsAConstantExpr(x)) return opaque(v, x, p, width);
  LLVMOpcode op = LLVMGetConstOpcode(x);
  Bv made = op == LLVMGetElementPtr ? eval_gep(v, x, p) : eval_cast(v, op, x, p);
  if (made == BV_NONE) made = eval_binary(v, op, x, p);
  return made == BV_NONE ? opaque(v, x, p, width) : made;
}

// -- addresses

static Bv offset_of(Known *v, LLVMTypeRef *type, LLVMValueRef index, bool first, const Point *p) {
  LLVMTypeRef in = *type;
  if (!first && LLVMGetTypeKind(in) == LLVMStructTypeKind) {
    unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
    *type = LLVMStructGetTypeAtIndex(in, member);
    return bv_const(v->t, 64, LLVMOffsetOfElement(v->layout, in, member));
  }
  if (!first && LLVMGetTypeKind(in) != LLVMArrayTypeKind && LLVMGetTypeKind(in) != LLVMVectorTypeKind)
    return BV_NONE;
  if (!first) *type = LLVMGetElementType(in);
  Bv i = known_eval(v, index, p);
  if (i == BV_NONE) return BV_NONE;
  return bv_op(v->t, BV_MUL, bv_resize(v->t, i, 64, true),
               bv_const(v->t, 64, LLVMABISizeOfType(v->layout, *type)));
}

static Bv eval_gep(Known *v, LLVMValueRef x, const Point *p) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(x);
  if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMPointerTypeKind) return BV_NONE;
  Bv sum = known_eval(v, LLVMGetOperand(x, 0), p);
  for (int i = 1; i < LLVMGetNumOperands(x) && sum != BV_NONE; ++i) {
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind && i == 1 && !LLVMTypeIsSized(type)) return BV_NONE;
    Bv more = offset_of(v, &type, LLVMGetOperand(x, (unsigned)i), i == 1, p);
    sum = more == BV_NONE ? BV_NONE : bv_op(v->t, BV_ADD, sum, more);
  }
  return sum;
}

// -- phis

static bool is_header(const CodeFunction *f, uint32_t block, uint32_t *loop) {
  *loop = loops_of(f->loops, block);
  return *loop != LOOP_NONE && loop_header(f->loops, *loop) == block;
}

static void add_fact(Known *v, Bv truth, Bv about) {
  assert(bv_at(v->t, truth).width == 1);
  Fact f = {truth, about};
  for (vec_each(i, &v->rounds))
    if (v->rounds.at[i].truth == truth && v->rounds.at[i].about == about) return;
  vec_push(&v->rounds, f);
}

// What a loop adds to a variable in each round.
typedef struct {
  LLVMValueRef start, step;  // step NULL: the amount
  int64_t amount;
  bool minus, nsw, nuw;
} Stride;

// phi + x, x being the same in all rounds though it comes from memory.
static bool stride_by_value(Known *v, LLVMValueRef phi, const CodeFunction *f, const Point *p, Stride *out) {
  if (LLVMCountIncoming(phi) != 2) return false;
  uint32_t loop = loops_of(f->loops, cfg_of(f->cfg, phi));
  unsigned back = loop_has(f->loops, loop, cfg_id(f->cfg, LLVMGetIncomingBlock(phi, 1)));
  LLVMValueRef next = LLVMGetIncomingValue(phi, back);
  if (!LLVMIsABinaryOperator(next) || LLVMGetInstructionOpcode(next) != LLVMAdd) return false;
  unsigned of = LLVMGetOperand(next, 0) == phi ? 0 : 1;
  if (LLVMGetOperand(next, of) != phi) return false;
  Bv x = known_eval(v, LLVMGetOperand(next, 1 - of), p);
  *out = (Stride){LLVMGetIncomingValue(phi, 1 - back),
                  LLVMGetOperand(next, 1 - of),
                  0,
                  false,
                  LLVMGetNSW(next),
                  LLVMGetNUW(next)};
  return x != BV_NONE && !known_variant(v, x);
}

static bool stride_of(Known *v, LLVMValueRef phi, const CodeFunction *f, const Point *p, Stride *out) {
  const Induct *in = inducts_find(f->inducts, phi);
  if (!in || !in->start) return stride_by_value(v, phi, f, p, out);
  bool counts = in->amount && !in->element;
  *out = (Stride){in->start,
                  in->step,
                  in->amount,
                  in->minus,
                  in->nsw || (counts && inducts_monotone(f->inducts, in, true)),
                  in->nuw || (counts && inducts_monotone(f->inducts, in, false))};
  if (in->element) out->amount *= (int64_t)LLVMABISizeOfType(v->layout, in->element), out->nuw = in->inbounds;
  return true;
}

// A variable that grows (shrinks) and never wraps around: it stays on one side of its start, after fewer
// rounds than there are numbers.
static void monotone_facts(Known *v, const Stride *s, Bv start, Bv now, Bv round, int64_t amount) {
  unsigned w = bv_at(v->t, now).width;
  uint64_t size = amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount;
  if (!s->nsw && !s->nuw) return;
  BvOp no_more = s->nsw ? BV_SLE : BV_ULE;
  add_fact(v, amount > 0 ? bv_op(v->t, no_more, start, now) : bv_op(v->t, no_more, now, start), round);
  add_fact(v, bv_op(v->t, BV_ULE, round, bv_const(v->t, w, bv_mask(w) / size)), round);
  if (w == 64 || !s->nsw) return;
  Bv from = bv_resize(v->t, amount > 0 ? start : now, 64, true),
     to = bv_resize(v->t, amount > 0 ? now : start, 64, true);
  Bv rounds = bv_op(v->t, BV_SDIV, bv_op(v->t, BV_SUB, to, from), bv_const(v->t, 64, size));
  add_fact(v, bv_op(v->t, BV_SLE, bv_resize(v->t, round, 64, false), rounds), round);
}

// A loop that asks at its end: in all rounds but the first, the variable has passed.
static void bound_facts(Known *v, const CodeFunction *f, LLVMValueRef phi, Bv start, Bv now, Bv round,
                        const Point *p) {
  const Induct *in = inducts_find(f->inducts, phi);
  for (size_t i = 0; in && i < inducts_bounds(f->inducts); ++i) {
    const InductBound *b = inducts_bound(f->inducts, i);
    if (inducts_at(f->inducts, b->induct) != in || !b->of_next || !b->always) continue;
    Bv bound = known_eval(v, b->bound, p);
    if (bound == BV_NONE) continue;
    unsigned w = bv_at(v->t, bound).width;
    Bv first = compare(v, b->stay, bv_resize(v->t, start, w, b->extended == LLVMSExt), bound);
    Bv later = compare(v, b->stay, bv_resize(v->t, now, w, b->extended == LLVMSExt), bound);
    if (first == BV_NONE || later == BV_NONE) continue;
    bool at_once = interval_holds(v->t, first);
    Bv begins = bv_op(v->t, BV_EQ, round, bv_const(v->t, bv_at(v->t, round).width, 0));
    add_fact(v, at_once ? later : bv_op(v->t, BV_OR, begins, later), round);
  }
}

// start + round * step, with the same round for all variables of the loop.
static Bv eval_header(Known *v, LLVMValueRef phi, const CodeFunction *f, const Point *p) {
  unsigned w = known_width(v, LLVMTypeOf(phi));
  Stride s;
  if (!known_side(v, phi, p) || !stride_of(v, phi, f, p, &s)) return BV_NONE;
  LLVMValueRef header = LLVMBasicBlockAsValue(LLVMGetInstructionParent(phi));
  Bv start = known_eval(v, s.start, p), step = s.step ? known_eval(v, s.step, p) : BV_NONE;
  uint64_t constant;
  if (start == BV_NONE || (s.step && step == BV_NONE)) return BV_NONE;
  int64_t amount = s.amount;
  if (s.step && bv_is_const(v->t, step, &constant)) amount = bv_signed(w, s.minus ? 0 - constant : constant);
  Bv round = bv_resize(v->t, known_var(v, 64, VAR_ROUND, header, p->side), w, false);
  Bv times = s.step && !amount ? step : bv_const(v->t, w, (uint64_t)amount);
  Bv more = bv_op(v->t, BV_MUL, round, times);
  Bv now = bv_op(v->t, s.step && !amount && s.minus ? BV_SUB : BV_ADD, start, more);
  if (amount) monotone_facts(v, &s, start, now, round, amount);
  bound_facts(v, f, phi, start, now, round, p);
  return now;
}

static bool edge_dead(Known *v, LLVMBasicBlockRef from, LLVMBasicBlockRef to, const Point *p) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  if (known_dead(v, end)) return true;
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return false;
  if (LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1)) return false;
  Bv truth = known_eval(v, LLVMGetCondition(end), p);
  uint64_t is;
  return truth != BV_NONE && bv_is_const(v->t, truth, &is) && LLVMGetSuccessor(end, is ? 0 : 1) != to;
}

// Which way of the branch at the end of `d` leads to this edge: 0, 1; 2: either.
static unsigned way_of(const CodeFunction *f, uint32_t d, uint32_t from, uint32_t to) {
  Ids succs = cfg_succs(f->cfg, d);
  if (succs.at[0] == succs.at[1]) return 2;
  for (unsigned i = 0; i < 2; ++i)
    if ((from == d && succs.at[i] == to) || (from != d && dom_edge(f->dom, d, succs.at[i], from))) return i;
  return 2;
}

static Bv eval_join(Known *v, LLVMValueRef phi, const CodeFunction *f, const Point *p) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(phi), from[2];
  Bv value[2];
  unsigned n = 0;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
    LLVMBasicBlockRef b = LLVMGetIncomingBlock(phi, i);
    if (edge_dead(v, b, here, p)) continue;
    Bv x = known_eval(v, LLVMGetIncomingValue(phi, i), p);
    if (x == BV_NONE) return BV_NONE;
    if (n && value[0] == x) continue;
    if (n == 2) return BV_NONE;
    from[n] = b, value[n++] = x;
  }
  if (n < 2) return n ? value[0] : BV_NONE;
  uint32_t to = cfg_id(f->cfg, here), d = dom_parent(f->dom, to);
  LLVMValueRef end = d == DOM_NONE ? NULL : LLVMGetBasicBlockTerminator(cfg_block(f->cfg, d));
  if (!end || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) || LLVMCountIncoming(phi) != 2)
    return BV_NONE;
  unsigned a = way_of(f, d, cfg_id(f->cfg, from[0]), to), b = way_of(f, d, cfg_id(f->cfg, from[1]), to);
  if (a + b != 1) return BV_NONE;
  assert(a < 2 && b < 2);
  Bv truth = known_eval(v, LLVMGetCondition(end), p);
  return truth == BV_NONE ? BV_NONE : bv_ite(v->t, truth, value[a], value[b]);
}

static Bv eval_phi(Known *v, LLVMValueRef phi, const Point *p) {
  const CodeFunction *f = code_of(v->code, function_of(phi));
  uint32_t block = cfg_of(f->cfg, phi), loop;
  if (cfg_place(f->cfg, block) == CFG_NONE || loops_irreducible(f->loops, block) != LOOP_NONE) return BV_NONE;
  return is_header(f, block, &loop) ? eval_header(v, phi, f, p) : eval_join(v, phi, f, p);
}

// -- arguments, calls

// What the creator of the thread passes.
static Bv eval_argument(Known *v, LLVMValueRef x) {
  uint64_t defined;
  if (map_get(v->defined, map_key(x), &defined)) return (Bv)defined;
  const CodeFunction *f = code_of(v->code, LLVMGetParamParent(x));
  LLVMValueRef create = f && f->root && f->thread ? code_create(v->code, f->thread) : NULL;
  const Sync *s = create ? sync_of_call(create) : NULL;
  if (!s || LLVMGetParam(f->function, 0) != x) return BV_NONE;
  const CodeFunction *creator = code_of(v->code, function_of(create));
  if (!creator->root) return BV_NONE;
  Point there = point_at(v, create, 0);
  Bv given = BV_NONE;
  if (s->argument.place == SYNC_VALUE) given = known_eval(v, LLVMGetOperand(create, s->argument.arg), &there);
  if (s->argument.place == SYNC_LOADED)
    given = known_read(v, create, LLVMGetOperand(create, s->argument.arg), &there);
  if (given == BV_NONE || known_variant(v, given)) return BV_NONE;
  // A routine that takes an int gets the lower half.
  unsigned width = known_width(v, LLVMTypeOf(x));
  return width <= bv_at(v->t, given).width ? bv_resize(v->t, given, width, false) : BV_NONE;
}

static Bv eval_intrinsic(Known *v, LLVMValueRef call, const Point *p) {
  static const struct {
    const char *name;
    BvOp first_if;
    bool swapped;
  } table[] = {{"llvm.smax.", BV_SLE, true},
               {"llvm.smin.", BV_SLE, false},
               {"llvm.umax.", BV_ULE, true},
               {"llvm.umin.", BV_ULE, false}};
  LLVMValueRef f = call_function(call);
  size_t len;
  const char *name = f ? LLVMGetValueName2(f, &len) : "";
  if (!strncmp(name, "llvm.expect.", 12)) return known_eval(v, LLVMGetOperand(call, 0), p);
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (strncmp(name, table[i].name, strlen(table[i].name))) continue;
    Bv a = known_eval(v, LLVMGetOperand(call, 0), p), b = known_eval(v, LLVMGetOperand(call, 1), p);
    if (a == BV_NONE || b == BV_NONE) return BV_NONE;
    Bv less = bv_op(v->t, table[i].first_if, a, b);
    return table[i].swapped ? bv_ite(v->t, less, b, a) : bv_ite(v->t, less, a, b);
  }
  return BV_NONE;
}

// Memory that this very call has made, if points-to says so.
static bool is_allocation(const Known *v, LLVMValueRef call) {
  AliasRanges r = {0};
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind) return false;
  alias_points_to(v->alias, call, &r);
  bool is = r.len == 1 && !r.at[0].stride && !r.at[0].first;
  if (is) {
    AliasObject o = alias_object(v->alias, r.at[0].object);
    is = o.kind == ALIAS_HEAP && o.value == call;
  }
  vec_free(&r);
  return is;
}

// -- instructions

static Bv eval_instruction(Known *v, LLVMValueRef x, const Point *p, unsigned width) {
  LLVMOpcode op = LLVMGetInstructionOpcode(x);
  Bv made = BV_NONE;
  uint64_t defined;
  if (map_get(v->defined, map_key(x), &defined)) return (Bv)defined;
  if (op == LLVMAlloca) return known_var(v, width, VAR_OBJECT, x, known_side(v, x, p));
  if (op == LLVMGetElementPtr) return eval_gep(v, x, p);
  if (op == LLVMICmp) return eval_compare(v, x, p);
  if (op == LLVMPHI) return eval_phi(v, x, p);
  if (op == LLVMLoad) return known_load(v, x, p);
  if (op == LLVMSelect) {
    Bv c = known_eval(v, LLVMGetOperand(x, 0), p), a = known_eval(v, LLVMGetOperand(x, 1), p),
       b = known_eval(v, LLVMGetOperand(x, 2), p);
    return c == BV_NONE || a == BV_NONE || b == BV_NONE ? BV_NONE : bv_ite(v->t, c, a, b);
  }
  if (call_is(x) && is_allocation(v, x)) return known_var(v, width, VAR_OBJECT, x, known_side(v, x, p));
  if (call_is(x)) return eval_intrinsic(v, x, p);
  if (LLVMIsACastInst(x) || op == LLVMFreeze) made = eval_cast(v, op, x, p);
  return made == BV_NONE && LLVMIsABinaryOperator(x) ? eval_binary(v, op, x, p) : made;
}

// What a map keeps: an answer; that it is looked for, and how deep; or an answer that rests on others which
// are looked for, and on how deep the outermost of these is. Such an answer is kept until that one is found.
enum { DEPTH_BITS = 11, ANSWER_BITS = 32 };
static const uint64_t pending = (uint64_t)1 << 40, resting = (uint64_t)1 << 44;
_Static_assert(LIMIT_VALUE_DEPTH < 1 << DEPTH_BITS, "a depth fits in");

static void rest_on(Known *v, unsigned depth) {
  if (depth < v->lowest) v->lowest = depth;
}

KnownKept known_recall(Known *v, uint64_t kept, uint32_t *answer) {
  if (kept == KNOWN_ABSENT) return KNOWN_NOT_YET;
  if (kept & resting) rest_on(v, (unsigned)(kept >> ANSWER_BITS) & ((1 << DEPTH_BITS) - 1));
  if (kept >= pending && !(kept & resting)) {
    rest_on(v, (unsigned)(kept - pending));
    return KNOWN_PENDING;
  }
  *answer = (uint32_t)kept;
  return KNOWN_ANSWER;
}

uint64_t known_begin(Known *v, unsigned *outer) {
  *outer = v->lowest;
  v->lowest = UINT_MAX;
  v->work++;
  return pending + ++v->depth;
}

// Answers that rest on what has just been found may say less than can be said now.
static void forget(Known *v, unsigned depth) {
  size_t from = v->resting.len, to;
  while (from && v->resting.at[from - 1].made >= depth) --from;
  to = from;
  for (size_t i = from; i < v->resting.len; ++i) {
    Resting r = v->resting.at[i];
    if (r.on < depth)
      v->resting.at[to++] = r;
    else
      map_put(r.map, r.key, KNOWN_ABSENT);
  }
  v->resting.len = to;
}

void known_keep(Known *v, Map *map, uint64_t key, uint32_t answer, unsigned outer) {
  assert(v->depth);
  unsigned depth = v->depth, on = v->lowest;
  bool tired = v->work > LIMIT_VALUE_WORK, whole = on >= depth || tired;
  if (tired && on < depth) limit_reached(LIMIT_OF_VALUE_WORK);
  forget(v, depth);
  if (whole) {
    map_put(map, key, answer);
  } else {
    map_put(map, key, resting | (uint64_t)on << ANSWER_BITS | answer);
    vec_push(&v->resting, ((Resting){map, key, depth, on}));
  }
  if (on >= depth) v->lowest = UINT_MAX;
  rest_on(v, outer);
  v->depth--;
}

Bv known_eval(Known *v, LLVMValueRef x, const Point *p) {
  unsigned width = known_width(v, LLVMTypeOf(x)), outer;
  if (!width) return BV_NONE;
  if (LLVMIsAConstant(x)) return eval_constant(v, x, p);
  if (!LLVMIsAInstruction(x) && !LLVMIsAArgument(x)) return BV_NONE;
  // Of one iteration of a loop around p, and of one that is over, the same value has two terms.
  unsigned side = LLVMIsAInstruction(x) ? known_side(v, x, p) : p->side;
  uint64_t key = var_key(x, VAR_VALUE, side);
  Bv answer;
  KnownKept kept = known_recall(v, map_or(v->memo, key, KNOWN_ABSENT), &answer);
  bool deep = kept == KNOWN_NOT_YET && v->depth >= LIMIT_VALUE_DEPTH;
  if (deep) limit_reached(LIMIT_OF_VALUE_DEPTH);
  if (deep || kept == KNOWN_PENDING) return opaque(v, x, p, width);
  if (kept == KNOWN_ANSWER) return answer;
  map_put(v->memo, key, known_begin(v, &outer));
  Bv made = LLVMIsAArgument(x) ? eval_argument(v, x) : eval_instruction(v, x, p, width);
  if (made == BV_NONE) made = opaque(v, x, p, width);
  assert(bv_at(v->t, made).width == width);
  known_keep(v, v->memo, key, made, outer);
  return made;
}

Bv known_value(Known *v, LLVMValueRef x, LLVMValueRef at, unsigned side) {
  Point p = point_at(v, at, side);
  return known_eval(v, x, &p);
}

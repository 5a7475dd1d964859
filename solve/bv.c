#include "bv.h"
#include <assert.h>

struct Bvs {
  Vec(BvTerm) terms;
  uint32_t *slots;  // a hash table of terms, plus one; 0: empty
  size_t size;      // a power of two
};

uint64_t bv_mask(unsigned width) {
  return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

int64_t bv_signed(unsigned width, uint64_t value) {
  assert(width >= 1 && width <= 64);
  uint64_t sign = (uint64_t)1 << (width - 1);
  return (int64_t)(((value & bv_mask(width)) ^ sign) - sign);
}

Bvs *bvs_new(void) {
  Bvs *t = mem_alloc(sizeof *t);
  t->size = 1024;
  t->slots = mem_array(t->size, sizeof *t->slots);
  return t;
}

void bvs_free(Bvs *t) {
  if (!t) return;
  CHECKED(bvs_check(t));
  vec_free(&t->terms);
  mem_free(t->slots);
  mem_free(t);
}

size_t bvs_count(const Bvs *t) {
  return t->terms.len;
}
BvTerm bv_at(const Bvs *t, Bv x) {
  assert(x < t->terms.len);
  return t->terms.at[x];
}

// -- equal terms are one

static uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

static uint64_t hash(const BvTerm *x) {
  return mix(mix(mix(mix(mix((uint64_t)x->op << 8 | x->width, x->a), x->b), x->c), x->value), 7);
}

static bool same(const BvTerm *x, const BvTerm *y) {
  return x->op == y->op && x->width == y->width && x->a == y->a && x->b == y->b && x->c == y->c &&
         x->value == y->value;
}

static void grow(Bvs *t) {
  mem_free(t->slots);
  t->size *= 2;
  t->slots = mem_array(t->size, sizeof *t->slots);
  for (vec_each(i, &t->terms)) {
    size_t at = hash(&t->terms.at[i]) & (t->size - 1);
    while (t->slots[at]) at = (at + 1) & (t->size - 1);
    t->slots[at] = (uint32_t)i + 1;
  }
}

static Bv term(Bvs *t, BvTerm x) {
  if (2 * t->terms.len >= t->size) grow(t);
  size_t at = hash(&x) & (t->size - 1);
  for (; t->slots[at]; at = (at + 1) & (t->size - 1))
    if (same(&t->terms.at[t->slots[at] - 1], &x)) return t->slots[at] - 1;
  vec_push(&t->terms, x);
  t->slots[at] = (uint32_t)t->terms.len;
  return (Bv)t->terms.len - 1;
}

Bv bv_const(Bvs *t, unsigned width, uint64_t value) {
  assert(width >= 1 && width <= 64);
  return term(t, (BvTerm){BV_CONST, (uint8_t)width, BV_NONE, BV_NONE, BV_NONE, value & bv_mask(width)});
}
Bv bv_var(Bvs *t, unsigned width, uint64_t key) {
  assert(width >= 1 && width <= 64);
  return term(t, (BvTerm){BV_VAR, (uint8_t)width, BV_NONE, BV_NONE, BV_NONE, key});
}

bool bv_is_const(const Bvs *t, Bv x, uint64_t *value) {
  if (x == BV_NONE || t->terms.at[x].op != BV_CONST) return false;
  *value = t->terms.at[x].value;
  return true;
}
bool bv_is(const Bvs *t, Bv x, uint64_t value) {
  uint64_t is;
  return bv_is_const(t, x, &is) && is == (value & bv_mask(t->terms.at[x].width));
}

// -- folding

static bool is_truth(BvOp op) {
  return op >= BV_EQ && op <= BV_SLE;
}
static bool is_commutative(BvOp op) {
  return op == BV_ADD || op == BV_MUL || op == BV_AND || op == BV_OR || op == BV_XOR || op == BV_EQ;
}

static uint64_t divide(BvOp op, unsigned width, uint64_t a, uint64_t b) {
  int64_t x = bv_signed(width, a), y = bv_signed(width, b);
  bool negative = (x < 0) != (y < 0);
  uint64_t p = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, q = y < 0 ? 0 - (uint64_t)y : (uint64_t)y;
  switch (op) {
    case BV_UDIV:
      return b ? a / b : UINT64_MAX;
    case BV_UREM:
      return b ? a % b : a;
    case BV_SDIV:
      if (!b) return x < 0 ? 1 : UINT64_MAX;
      return negative ? 0 - p / q : p / q;
    default:
      if (!b) return a;
      return x < 0 ? 0 - p % q : p % q;
  }
}

static uint64_t shift(BvOp op, unsigned width, uint64_t a, uint64_t b) {
  if (op == BV_ASHR) return (uint64_t)(bv_signed(width, a) >> (b >= width ? width - 1 : b));
  if (b >= width) return 0;
  return op == BV_SHL ? a << b : a >> b;
}

static uint64_t compute(BvOp op, unsigned width, uint64_t a, uint64_t b) {
  switch (op) {
    case BV_ADD:
      return a + b;
    case BV_SUB:
      return a - b;
    case BV_MUL:
      return a * b;
    case BV_AND:
      return a & b;
    case BV_OR:
      return a | b;
    case BV_XOR:
      return a ^ b;
    case BV_EQ:
      return a == b;
    case BV_ULT:
      return a < b;
    case BV_ULE:
      return a <= b;
    case BV_SLT:
      return bv_signed(width, a) < bv_signed(width, b);
    case BV_SLE:
      return bv_signed(width, a) <= bv_signed(width, b);
    case BV_SHL:
    case BV_LSHR:
    case BV_ASHR:
      return shift(op, width, a, b);
    default:
      return divide(op, width, a, b);
  }
}

// What x op c is for a constant on the right; BV_NONE: nothing simpler.
static Bv fold_right(Bvs *t, BvOp op, Bv a, uint64_t c) {
  BvTerm x = t->terms.at[a];
  unsigned w = x.width;
  uint64_t inner;
  bool zero = !c, one = c == 1, ones = c == bv_mask(w);
  switch (op) {
    case BV_ADD:
      if (zero) return a;
      if (x.op == BV_ADD && bv_is_const(t, x.b, &inner))
        return bv_op(t, BV_ADD, x.a, bv_const(t, w, inner + c));
      return BV_NONE;
    case BV_SUB:
      return bv_op(t, BV_ADD, a, bv_const(t, w, 0 - c));
    case BV_MUL:
      if (zero) return bv_const(t, w, 0);
      if (one) return a;
      if (x.op == BV_MUL && bv_is_const(t, x.b, &inner))
        return bv_op(t, BV_MUL, x.a, bv_const(t, w, inner * c));
      return BV_NONE;
    case BV_UDIV:
    case BV_SDIV:
      return one ? a : BV_NONE;
    case BV_UREM:
    case BV_SREM:
      return one ? bv_const(t, w, 0) : BV_NONE;
    case BV_AND:
      return zero ? bv_const(t, w, 0) : ones ? a : BV_NONE;
    case BV_OR:
      return zero ? a : ones ? bv_const(t, w, c) : BV_NONE;
    case BV_XOR:
      return zero ? a : BV_NONE;
    case BV_SHL:
      return zero ? a : c < w ? bv_op(t, BV_MUL, a, bv_const(t, w, (uint64_t)1 << c)) : bv_const(t, w, 0);
    case BV_LSHR:
    case BV_ASHR:
      return zero ? a : BV_NONE;
    case BV_EQ:
      if (w == 1) return c ? a : bv_not(t, a);
      if (x.op == BV_ZEXT && c > bv_mask(t->terms.at[x.a].width)) return bv_const(t, 1, 0);
      if (x.op == BV_ZEXT) return bv_op(t, BV_EQ, x.a, bv_const(t, t->terms.at[x.a].width, c));
      return BV_NONE;
    case BV_ULT:
      return zero ? bv_const(t, 1, 0) : BV_NONE;
    default:
      return BV_NONE;
  }
}

static Bv fold_same(Bvs *t, BvOp op, Bv a) {
  unsigned w = t->terms.at[a].width;
  switch (op) {
    case BV_SUB:
    case BV_XOR:
      return bv_const(t, w, 0);
    case BV_AND:
    case BV_OR:
      return a;
    case BV_EQ:
    case BV_ULE:
    case BV_SLE:
      return bv_const(t, 1, 1);
    case BV_ULT:
    case BV_SLT:
      return bv_const(t, 1, 0);
    default:
      return BV_NONE;
  }
}

// x is this plus a constant.
static Bv without_constant(const Bvs *t, Bv x, uint64_t *constant) {
  BvTerm e = t->terms.at[x];
  *constant = 0;
  return e.op == BV_ADD && bv_is_const(t, e.b, constant) ? e.a : x;
}

// Constants of sums go outside, where they meet; BV_NONE: there are none.
static Bv fold_sums(Bvs *t, BvOp op, Bv a, Bv b) {
  unsigned w = t->terms.at[a].width;
  uint64_t x, y;
  Bv p = without_constant(t, a, &x), q = without_constant(t, b, &y);
  if (p == a && q == b) return BV_NONE;
  if (op == BV_ADD) return bv_op(t, BV_ADD, bv_op(t, BV_ADD, p, q), bv_const(t, w, x + y));
  if (op == BV_SUB) return bv_op(t, BV_ADD, bv_op(t, BV_SUB, p, q), bv_const(t, w, x - y));
  return op == BV_EQ && p == q ? bv_const(t, 1, ((x - y) & bv_mask(w)) == 0) : BV_NONE;
}

// Of one of two constants, compared with a third: the condition says it. BV_NONE: it is not that.
static Bv fold_choice(Bvs *t, BvOp op, Bv a, Bv b) {
  bool left = bv_at(t, a).op == BV_ITE;
  BvTerm x = bv_at(t, left ? a : b);
  uint64_t yes, no, other;
  if (!is_truth(op) || x.op != BV_ITE || !bv_is_const(t, left ? b : a, &other) ||
      !bv_is_const(t, x.b, &yes) || !bv_is_const(t, x.c, &no))
    return BV_NONE;
  uint64_t of_yes = left ? compute(op, x.width, yes, other) : compute(op, x.width, other, yes);
  uint64_t of_no = left ? compute(op, x.width, no, other) : compute(op, x.width, other, no);
  return bv_ite(t, x.a, bv_const(t, 1, of_yes), bv_const(t, 1, of_no));
}

Bv bv_op(Bvs *t, BvOp op, Bv a, Bv b) {
  unsigned w = t->terms.at[a].width;
  uint64_t x = 0, y = 0;
  assert(w == t->terms.at[b].width && op >= BV_ADD && op <= BV_SLE);
  bool left = bv_is_const(t, a, &x), right = bv_is_const(t, b, &y);
  if (left && right) return bv_const(t, is_truth(op) ? 1 : w, compute(op, w, x, y));
  if (is_commutative(op) && (left || (!right && a > b))) {
    Bv swap = a;
    a = b, b = swap;
    bool l = left;
    uint64_t v = x;
    left = right, right = l, y = v;
  }
  Bv simple = a == b ? fold_same(t, op, a) : right ? fold_right(t, op, a, y) : fold_sums(t, op, a, b);
  if (simple == BV_NONE) simple = fold_choice(t, op, a, b);
  if (simple != BV_NONE) return simple;
  return term(t, (BvTerm){(uint8_t)op, is_truth(op) ? 1 : (uint8_t)w, a, b, BV_NONE, 0});
}

uint64_t bv_compute(const Bvs *t, Bv x, const uint64_t *parts) {
  BvTerm e = bv_at(t, x);
  assert(e.op > BV_VAR);
  unsigned inner = bv_at(t, e.a).width;
  if (e.op == BV_ITE) return parts[0] ? parts[1] : parts[2];
  if (e.op == BV_SEXT) return (uint64_t)bv_signed(inner, parts[0]) & bv_mask(e.width);
  if (e.op == BV_ZEXT || e.op == BV_TRUNC) return parts[0] & bv_mask(e.width);
  return compute((BvOp)e.op, inner, parts[0], parts[1]) & bv_mask(e.width);
}

Bv bv_resize(Bvs *t, Bv a, unsigned width, bool is_signed) {
  BvTerm x = t->terms.at[a];
  uint64_t c;
  assert(width >= 1 && width <= 64);
  if (x.width == width) return a;
  if (bv_is_const(t, a, &c)) return bv_const(t, width, is_signed ? (uint64_t)bv_signed(x.width, c) : c);
  BvOp op = width < x.width ? BV_TRUNC : is_signed ? BV_SEXT : BV_ZEXT;
  if (op == BV_TRUNC && (x.op == BV_ZEXT || x.op == BV_SEXT || x.op == BV_TRUNC)) {
    unsigned inner = t->terms.at[x.a].width;
    if (inner >= width) return bv_resize(t, x.a, width, false);
    return bv_resize(t, x.a, width, x.op == BV_SEXT);
  }
  bool low =
      x.op == BV_ADD || x.op == BV_SUB || x.op == BV_MUL || x.op == BV_AND || x.op == BV_OR || x.op == BV_XOR;
  if (op == BV_TRUNC && low)  // the low bits depend on low bits alone
    return bv_op(t, (BvOp)x.op, bv_resize(t, x.a, width, false), bv_resize(t, x.b, width, false));
  if ((op == BV_ZEXT || op == BV_SEXT) && x.op == BV_ZEXT) return bv_resize(t, x.a, width, false);
  return term(t, (BvTerm){(uint8_t)op, (uint8_t)width, a, BV_NONE, BV_NONE, 0});
}

Bv bv_not(Bvs *t, Bv truth) {
  BvTerm x = t->terms.at[truth];
  assert(x.width == 1);
  if (x.op == BV_ULT || x.op == BV_ULE || x.op == BV_SLT || x.op == BV_SLE) {
    static const BvOp opposite[] = {BV_ULE, BV_ULT, BV_SLE, BV_SLT};
    return bv_op(t, opposite[x.op - BV_ULT], x.b, x.a);
  }
  if (x.op == BV_XOR && bv_is(t, x.b, 1)) return x.a;
  return bv_op(t, BV_XOR, truth, bv_const(t, 1, 1));
}

Bv bv_ite(Bvs *t, Bv condition, Bv yes, Bv no) {
  uint64_t c;
  assert(bv_at(t, condition).width == 1);
  if (bv_is_const(t, condition, &c)) return c ? yes : no;
  if (yes == no) return yes;
  unsigned w = t->terms.at[yes].width;
  assert(w == t->terms.at[no].width);
  if (w == 1 && bv_is(t, yes, 1) && bv_is(t, no, 0)) return condition;
  if (w == 1 && bv_is(t, yes, 0) && bv_is(t, no, 1)) return bv_not(t, condition);
  return term(t, (BvTerm){BV_ITE, (uint8_t)w, condition, yes, no, 0});
}

static Bv rebuild(Bvs *t, Bv x, Map *done) {
  uint64_t known;
  if (map_get(done, x, &known)) return (Bv)known;
  BvTerm e = bv_at(t, x);
  Bv made = x;
  if (e.op > BV_VAR) {
    Bv a = rebuild(t, e.a, done), b = e.b == BV_NONE ? BV_NONE : rebuild(t, e.b, done);
    if (e.op == BV_ITE)
      made = bv_ite(t, a, b, rebuild(t, e.c, done));
    else
      made = b == BV_NONE ? bv_resize(t, a, e.width, e.op == BV_SEXT) : bv_op(t, (BvOp)e.op, a, b);
  }
  map_put(done, x, made);
  return made;
}

Bv bv_substitute(Bvs *t, Bv x, Bv variable, Bv with) {
  assert(bv_at(t, variable).width == bv_at(t, with).width);
  Map *done = map_new();
  map_put(done, variable, with);
  Bv made = rebuild(t, x, done);
  assert(bv_at(t, made).width == bv_at(t, x).width);
  map_free(done);
  return made;
}

static bool is_const(const Bvs *t, Bv x) {
  return t->terms.at[x].op == BV_CONST;
}

// Operands are made before, their widths agree, and what can be folded is.
static void check_term(const Bvs *t, Bv id) {
  BvTerm x = t->terms.at[id];
  bool one = x.op >= BV_ZEXT && x.op <= BV_TRUNC, leaf = x.op <= BV_VAR, three = x.op == BV_ITE;
  assert(x.op <= BV_ITE && x.width >= 1 && x.width <= 64);
  assert(leaf ? x.a == BV_NONE : x.a < id);
  assert(leaf || one ? x.b == BV_NONE : x.b < id);
  assert(three ? x.c < id : x.c == BV_NONE);
  assert(x.op == BV_VAR || x.value == (x.op == BV_CONST ? x.value & bv_mask(x.width) : 0));
  if (leaf) return;
  unsigned a = t->terms.at[x.a].width, b = one ? a : t->terms.at[x.b].width;
  if (one)
    assert((x.op == BV_TRUNC ? x.width < a : x.width > a) && !is_const(t, x.a));
  else if (three)
    assert(a == 1 && b == x.width && t->terms.at[x.c].width == x.width && x.b != x.c && !is_const(t, x.a));
  else
    assert(a == b && x.width == (is_truth((BvOp)x.op) ? 1 : a) && !(is_const(t, x.a) && is_const(t, x.b)));
  assert(!is_commutative((BvOp)x.op) || (!is_const(t, x.a) && (x.a <= x.b || is_const(t, x.b))));
}

// Each term is found, and as itself: none is there twice.
static void check_slots(const Bvs *t) {
  size_t used = 0;
  assert(t->size && !(t->size & (t->size - 1)) && 2 * t->terms.len <= t->size);
  for (vec_each(i, &t->terms)) {
    size_t at = hash(&t->terms.at[i]) & (t->size - 1);
    while (t->slots[at] && !same(&t->terms.at[t->slots[at] - 1], &t->terms.at[i]))
      at = (at + 1) & (t->size - 1);
    assert(t->slots[at] == i + 1);
  }
  for (size_t at = 0; at < t->size; ++at) used += t->slots[at] != 0;
  assert(used == t->terms.len);
}

void bvs_check(const Bvs *t) {
  for (vec_each(i, &t->terms)) check_term(t, (Bv)i);
  check_slots(t);
}

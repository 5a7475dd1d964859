// Terms as whole numbers: what provably does not wrap around is arithmetic of integers, for which there are
// far better procedures; anything else becomes a number of which only the bounds are known. So if the truths
// cannot hold together here, they cannot as bit-vectors either.
#include "whole.h"
#include "interval.h"

struct Whole {
  Z3_context c;
  const Bvs *t;
  Intervals *bounds;
  Map *numbers, *truths;  // term -> index in kept
  Vec(Z3_ast) kept;
  Vec(Z3_ast) sides;  // bounds of numbers
  Z3_sort integer;
};

static Z3_ast keep(Whole *w, Z3_ast a) {
  Z3_inc_ref(w->c, a);
  vec_push(&w->kept, a);
  return a;
}

static Z3_ast constant(Whole *w, int64_t x) {
  return keep(w, Z3_mk_int64(w->c, x, w->integer));
}

static Z3_ast free_number(Whole *w, Bv x) {
  Interval i = interval_of(w->bounds, x);
  Z3_ast v = keep(w, Z3_mk_fresh_const(w->c, "n", w->integer));
  vec_push(&w->sides, keep(w, Z3_mk_le(w->c, constant(w, i.low), v)));
  vec_push(&w->sides, keep(w, Z3_mk_le(w->c, v, constant(w, i.high))));
  return v;
}

static bool fits(Whole *w, Bv x, unsigned width) {
  Interval i = interval_of(w->bounds, x);
  return i.low >= bv_signed(width, (uint64_t)1 << (width - 1)) && i.high <= (int64_t)(bv_mask(width) >> 1);
}

__extension__ typedef __int128 Wide;

// The sum, difference or product of what the operands may be fits too.
static bool exact(Whole *w, BvTerm e) {
  Interval a = interval_of(w->bounds, e.a), b = interval_of(w->bounds, e.b);
  Wide low = -((Wide)1 << (e.width - 1)), high = -low - 1, v[4];
  if (e.op == BV_ADD) v[0] = v[1] = (Wide)a.low + b.low, v[2] = v[3] = (Wide)a.high + b.high;
  if (e.op == BV_SUB) v[0] = v[1] = (Wide)a.low - b.high, v[2] = v[3] = (Wide)a.high - b.low;
  if (e.op == BV_MUL)
    v[0] = (Wide)a.low * b.low, v[1] = (Wide)a.low * b.high, v[2] = (Wide)a.high * b.low,
    v[3] = (Wide)a.high * b.high;
  for (int i = 0; i < 4; ++i)
    if (v[i] < low || v[i] > high) return false;
  return true;
}

static Z3_ast number(Whole *w, Bv x);
static Z3_ast truth(Whole *w, Bv x);

static Z3_ast arithmetic(Whole *w, Bv x, BvTerm e) {
  uint64_t c;
  if (!exact(w, e) || (e.op == BV_MUL && !bv_is_const(w->t, e.b, &c))) return free_number(w, x);
  Z3_ast both[] = {number(w, e.a), number(w, e.b)};
  if (e.op == BV_ADD) return Z3_mk_add(w->c, 2, both);
  return e.op == BV_SUB ? Z3_mk_sub(w->c, 2, both) : Z3_mk_mul(w->c, 2, both);
}

static Z3_ast division(Whole *w, Bv x, BvTerm e) {
  uint64_t c;
  bool plain =
      bv_is_const(w->t, e.b, &c) && bv_signed(e.width, c) > 0 && interval_of(w->bounds, e.a).low >= 0;
  if (!plain) return free_number(w, x);
  Z3_ast a = number(w, e.a), b = constant(w, (int64_t)c);
  return e.op == BV_SDIV || e.op == BV_UDIV ? Z3_mk_div(w->c, a, b) : Z3_mk_mod(w->c, a, b);
}

static Z3_ast make_number(Whole *w, Bv x) {
  BvTerm e = bv_at(w->t, x);
  uint64_t c;
  switch ((BvOp)e.op) {
    case BV_CONST:
      return constant(w, bv_signed(e.width, e.value));
    case BV_ADD:
    case BV_SUB:
    case BV_MUL:
      return arithmetic(w, x, e);
    case BV_SDIV:
    case BV_UDIV:
    case BV_SREM:
    case BV_UREM:
      return division(w, x, e);
    case BV_AND:  // a mask of low bits
      if (!bv_is_const(w->t, e.b, &c) || (c & (c + 1)) || interval_of(w->bounds, e.a).low < 0 ||
          c >= bv_mask(e.width) >> 1)
        return free_number(w, x);
      return Z3_mk_mod(w->c, number(w, e.a), constant(w, (int64_t)c + 1));
    case BV_SEXT:
      return number(w, e.a);
    case BV_ZEXT:
      return interval_of(w->bounds, e.a).low >= 0 ? number(w, e.a) : free_number(w, x);
    case BV_TRUNC:
      return fits(w, e.a, e.width) ? number(w, e.a) : free_number(w, x);
    case BV_ITE:
      return Z3_mk_ite(w->c, truth(w, e.a), number(w, e.b), number(w, e.c));
    default:
      return free_number(w, x);
  }
}

static Z3_ast number(Whole *w, Bv x) {
  uint64_t at;
  if (map_get(w->numbers, x, &at)) return w->kept.at[at];
  Z3_ast made = keep(w, make_number(w, x));
  map_put(w->numbers, x, w->kept.len - 1);
  return made;
}

static bool is_unsigned_order(BvOp op) {
  return op == BV_ULT || op == BV_ULE;
}

static Z3_ast make_truth(Whole *w, Bv x) {
  BvTerm e = bv_at(w->t, x);
  Z3_ast both[2];
  bool of_truths = e.op >= BV_ADD && e.op <= BV_EQ && bv_at(w->t, e.a).width == 1;
  if (e.op == BV_CONST) return e.value ? Z3_mk_true(w->c) : Z3_mk_false(w->c);
  if (of_truths && (e.op == BV_AND || e.op == BV_OR || e.op == BV_XOR || e.op == BV_EQ)) {
    both[0] = truth(w, e.a), both[1] = truth(w, e.b);
    if (e.op == BV_EQ) return Z3_mk_eq(w->c, both[0], both[1]);
    if (e.op == BV_XOR) return Z3_mk_xor(w->c, both[0], both[1]);
    return e.op == BV_AND ? Z3_mk_and(w->c, 2, both) : Z3_mk_or(w->c, 2, both);
  }
  if (e.op == BV_ITE) return Z3_mk_ite(w->c, truth(w, e.a), truth(w, e.b), truth(w, e.c));
  bool order = e.op >= BV_EQ && e.op <= BV_SLE && !of_truths;
  if (order && is_unsigned_order((BvOp)e.op))
    order = interval_of(w->bounds, e.a).low >= 0 && interval_of(w->bounds, e.b).low >= 0;
  if (!order) return Z3_mk_fresh_const(w->c, "t", Z3_mk_bool_sort(w->c));
  Z3_ast a = number(w, e.a), b = number(w, e.b);
  if (e.op == BV_EQ) return Z3_mk_eq(w->c, a, b);
  return e.op == BV_ULT || e.op == BV_SLT ? Z3_mk_lt(w->c, a, b) : Z3_mk_le(w->c, a, b);
}

static Z3_ast truth(Whole *w, Bv x) {
  uint64_t at;
  if (map_get(w->truths, x, &at)) return w->kept.at[at];
  Z3_ast made = keep(w, make_truth(w, x));
  map_put(w->truths, x, w->kept.len - 1);
  return made;
}

Whole *whole_new(Z3_context c, const Bvs *t, const Bv *truths, size_t count) {
  Whole *w = mem_alloc(sizeof *w);
  w->c = c, w->t = t, w->numbers = map_new(), w->truths = map_new();
  w->bounds = intervals_new(t, truths, count);
  w->integer = Z3_mk_int_sort(c);
  keep(w, Z3_sort_to_ast(c, w->integer));
  return w;
}

void whole_assert(Whole *w, Z3_solver q, Bv x) {
  Z3_solver_assert(w->c, q, truth(w, x));
}

void whole_assert_near(Whole *w, Z3_solver q, Bv x, int64_t least, int64_t most) {
  Z3_ast n = number(w, x);
  Z3_solver_assert(w->c, q, keep(w, Z3_mk_le(w->c, constant(w, least), n)));
  Z3_solver_assert(w->c, q, keep(w, Z3_mk_le(w->c, n, constant(w, most))));
}

void whole_finish(Whole *w, Z3_solver q) {
  for (vec_each(i, &w->sides)) Z3_solver_assert(w->c, q, w->sides.at[i]);
}

void whole_free(Whole *w) {
  for (vec_each(i, &w->kept)) Z3_dec_ref(w->c, w->kept.at[i]);
  vec_free(&w->kept), vec_free(&w->sides);
  map_free(w->numbers), map_free(w->truths);
  intervals_free(w->bounds);
  mem_free(w);
}

#include "interval.h"
#include <assert.h>

__extension__ typedef __int128 Wide;

typedef struct {
  Wide low, high;
} Range;

struct Intervals {
  const Bvs *t;
  Map *learned;  // term -> index in ranges, plus one
  Vec(Interval) ranges;
  Map *memo;  // term -> index in known
  Vec(Interval) known;
};

static Range full(unsigned width) {
  Wide half = (Wide)1 << (width - 1);
  return (Range){-half, half - 1};
}

static Range cut(Range a, Range b) {
  Range r = {a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
  return r.low > r.high ? a : r;  // contradictory: dead code, or truths that cannot hold together
}

static Range eval(Intervals *n, Bv x, int depth);

static Wide least(const Wide *v, int count) {
  Wide m = v[0];
  for (int i = 1; i < count; ++i) m = v[i] < m ? v[i] : m;
  return m;
}
static Wide most(const Wide *v, int count) {
  Wide m = v[0];
  for (int i = 1; i < count; ++i) m = v[i] > m ? v[i] : m;
  return m;
}

static Range product(Range a, Range b) {
  Wide v[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return (Range){least(v, 4), most(v, 4)};
}

static Range compute(Intervals *n, BvTerm e, int depth) {
  Range w = full(e.width), a, b;
  uint64_t c;
  switch ((BvOp)e.op) {
    case BV_CONST:
      return (Range){bv_signed(e.width, e.value), bv_signed(e.width, e.value)};
    case BV_ADD:
      a = eval(n, e.a, depth), b = eval(n, e.b, depth);
      return (Range){a.low + b.low, a.high + b.high};
    case BV_SUB:
      a = eval(n, e.a, depth), b = eval(n, e.b, depth);
      return (Range){a.low - b.high, a.high - b.low};
    case BV_MUL:
      a = eval(n, e.a, depth), b = eval(n, e.b, depth);
      if (a.low < -((Wide)1 << 62) || a.high > (Wide)1 << 62 || b.low < -((Wide)1 << 62) ||
          b.high > (Wide)1 << 62)
        return w;
      return product(a, b);
    case BV_SDIV:
    case BV_UDIV:
      a = eval(n, e.a, depth);
      if ((a.low < 0 && e.op == BV_UDIV) || !bv_is_const(n->t, e.b, &c) || bv_signed(e.width, c) <= 0)
        return w;
      return (Range){a.low / (Wide)c, a.high / (Wide)c};
    case BV_SREM:
    case BV_UREM:
      a = eval(n, e.a, depth), b = eval(n, e.b, depth);
      if (b.low <= 0) return w;
      if (a.low < 0 && e.op == BV_UREM) return (Range){0, b.high - 1};  // a large number
      return (Range){a.low < 0 ? 1 - b.high : 0, a.low >= 0 && a.high < b.high - 1 ? a.high : b.high - 1};
    case BV_AND:
      b = eval(n, e.b, depth);
      return b.low >= 0 ? (Range){0, b.high} : w;
    case BV_LSHR:
      a = eval(n, e.a, depth);
      if (!bv_is_const(n->t, e.b, &c) || c >= e.width || !c) return w;
      return a.low >= 0 ? (Range){a.low >> c, a.high >> c} : (Range){0, (Wide)(bv_mask(e.width) >> c)};
    case BV_SEXT:
      return eval(n, e.a, depth);
    case BV_ZEXT:
      a = eval(n, e.a, depth);
      return a.low >= 0 ? a : (Range){0, (Wide)bv_mask(bv_at(n->t, e.a).width)};
    case BV_TRUNC:
      return eval(n, e.a, depth);
    case BV_ITE:
      a = eval(n, e.b, depth), b = eval(n, e.c, depth);
      return (Range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    default:
      return w;
  }
}

static Range eval(Intervals *n, Bv x, int depth) {
  BvTerm e = bv_at(n->t, x);
  uint64_t at;
  if (map_get(n->memo, x, &at)) return (Range){n->known.at[at].low, n->known.at[at].high};
  Range w = full(e.width), r = depth > LIMIT_RANGE_DEPTH ? w : compute(n, e, depth + 1);
  if (r.low < w.low || r.high > w.high) r = w;  // it may wrap around
  if (map_get(n->learned, x, &at)) r = cut(r, (Range){n->ranges.at[at - 1].low, n->ranges.at[at - 1].high});
  assert(w.low <= r.low && r.low <= r.high && r.high <= w.high);
  map_put(n->memo, x, n->known.len);
  vec_push(&n->known, ((Interval){(int64_t)r.low, (int64_t)r.high}));
  return r;
}

// -- truths

static void learn(Intervals *n, Bv x, Range r) {
  BvTerm e = bv_at(n->t, x);
  Range w = full(e.width);
  uint64_t at, c;
  r = cut(w, r);
  if (!map_get(n->learned, x, &at)) {
    vec_push(&n->ranges, ((Interval){(int64_t)w.low, (int64_t)w.high}));
    map_put(n->learned, x, at = n->ranges.len);
  }
  Interval *i = &n->ranges.at[at - 1];
  r = cut((Range){i->low, i->high}, r);
  assert(w.low <= r.low && r.low <= r.high && r.high <= w.high);
  *i = (Interval){(int64_t)r.low, (int64_t)r.high};
  if (e.op == BV_SEXT) learn(n, e.a, r);
  if (e.op == BV_ZEXT && r.high <= full(bv_at(n->t, e.a).width).high)
    learn(n, e.a, (Range){r.low < 0 ? 0 : r.low, r.high});
  if (e.op == BV_ADD && bv_is_const(n->t, e.b, &c)) {
    Wide by = bv_signed(e.width, c);
    Range inner = {r.low - by, r.high - by};
    if (inner.low >= w.low && inner.high <= w.high) learn(n, e.a, inner);
  }
}

static void compare(Intervals *n, Bv less, Bv more, Wide apart) {
  Range a = eval(n, less, 0), b = eval(n, more, 0);
  learn(n, less, (Range){full(bv_at(n->t, less).width).low, b.high - apart});
  learn(n, more, (Range){a.low + apart, full(bv_at(n->t, more).width).high});
}

static void see(Intervals *n, Bv truth) {
  BvTerm e = bv_at(n->t, truth);
  if (e.op == BV_AND && e.width == 1) see(n, e.a), see(n, e.b);
  if (e.op == BV_SLT || e.op == BV_SLE) compare(n, e.a, e.b, e.op == BV_SLT);
  if (e.op == BV_EQ && bv_at(n->t, e.a).width > 1) {
    learn(n, e.a, eval(n, e.b, 0));
    learn(n, e.b, eval(n, e.a, 0));
  }
  if (e.op != BV_ULT && e.op != BV_ULE) return;
  Range a = eval(n, e.a, 0), b = eval(n, e.b, 0);
  if (b.low >= 0) learn(n, e.a, (Range){a.low > 0 ? a.low : 0, b.high - (e.op == BV_ULT)});
}

Intervals *intervals_new(const Bvs *t, const Bv *truths, size_t count) {
  Intervals *n = mem_alloc(sizeof *n);
  n->t = t, n->learned = map_new(), n->memo = map_new();
  for (int round = 0; round < LIMIT_RANGE_ROUNDS; ++round) {
    for (size_t i = 0; i < count; ++i) see(n, truths[i]);
    map_free(n->memo);
    n->memo = map_new();
    n->known.len = 0;
  }
  return n;
}

void intervals_free(Intervals *n) {
  map_free(n->learned), map_free(n->memo);
  vec_free(&n->ranges), vec_free(&n->known);
  mem_free(n);
}

Interval interval_of(Intervals *n, Bv x) {
  Range r = eval(n, x, 0);
  return (Interval){(int64_t)r.low, (int64_t)r.high};
}

bool interval_holds(const Bvs *t, Bv truth) {
  BvTerm e = bv_at(t, truth);
  if (e.op != BV_SLT && e.op != BV_SLE) return bv_is(t, truth, 1);
  Intervals *n = intervals_new(t, NULL, 0);
  Interval a = interval_of(n, e.a), b = interval_of(n, e.b);
  intervals_free(n);
  return e.op == BV_SLT ? a.high < b.low : a.high <= b.low;
}

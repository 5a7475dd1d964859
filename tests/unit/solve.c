// Random terms, made in two ways: by solve/bv, which folds, and as a plain tree with an evaluator of its own.
// For random values of the variables both must give the same; and what is said of a term under truths that
// hold for these values must be true of its value: bounds, sums, substitutions, and that the solver never
// says no. solve [FIRST [COUNT]]: seeds. SPEC_SOAK=1: many more.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "solve/solve.h"

enum { VARS = 4, NODES = 24, TRUTHS = 6 };
static const unsigned widths[] = {1, 8, 32, 64};
enum { WIDTHS = sizeof widths / sizeof *widths };

typedef struct {
  BvOp op;
  unsigned width;
  int a, b, c;  // numbers of nodes; c of BV_VAR: which one
  uint64_t value;
  Bv term;
} Node;

static Bvs *t;
static Node nodes[NODES + 2 * WIDTHS * VARS];
static int count;
static uint64_t values[WIDTHS][VARS], state;

static uint64_t any(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state * 0x9e3779b97f4a7c15u >> 3;
}
static unsigned below(unsigned n) {
  return (unsigned)(any() % n);
}

// Mostly near where things change.
static uint64_t number(unsigned width) {
  static const uint64_t edges[] = {0, 1, 2, 4, 15, 127, 128, 255, 0x7fffffff, 0x80000000, UINT64_MAX};
  uint64_t x = below(3) ? edges[below(sizeof edges / sizeof *edges)] : any();
  if (!below(4)) x = (uint64_t)1 << (width - 1);
  if (!below(3)) x += (uint64_t)below(5) - 2;
  return x & bv_mask(width);
}

// -- the evaluator

__extension__ typedef __int128 Wide;
static Wide as_signed(unsigned width, uint64_t x) {
  Wide v = x & bv_mask(width);
  return v >> (width - 1) & 1 ? v - ((Wide)1 << width) : v;
}

static uint64_t divided(BvOp op, unsigned w, uint64_t x, uint64_t y) {
  Wide a = as_signed(w, x), b = as_signed(w, y);
  if (op == BV_UDIV) return y ? x / y : bv_mask(w);
  if (op == BV_UREM) return y ? x % y : x;
  if (op == BV_SDIV) return (uint64_t)(b ? a / b : a < 0 ? 1 : -1);
  return (uint64_t)(b ? a % b : a);
}

static uint64_t apply(BvOp op, unsigned w, uint64_t x, uint64_t y) {
  Wide a = as_signed(w, x), b = as_signed(w, y);
  switch (op) {
    case BV_ADD:
      return x + y;
    case BV_SUB:
      return x - y;
    case BV_MUL:
      return x * y;
    case BV_AND:
      return x & y;
    case BV_OR:
      return x | y;
    case BV_XOR:
      return x ^ y;
    case BV_SHL:
      return y >= w ? 0 : x << y;
    case BV_LSHR:
      return y >= w ? 0 : x >> y;
    case BV_ASHR:
      return (uint64_t)(a >> (y >= w ? w : y));
    case BV_EQ:
      return x == y;
    case BV_ULT:
      return x < y;
    case BV_ULE:
      return x <= y;
    case BV_SLT:
      return a < b;
    case BV_SLE:
      return a <= b;
    default:
      return divided(op, w, x, y);
  }
}

static uint64_t combine(BvOp op, unsigned width, unsigned of, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = op == BV_SEXT                     ? (uint64_t)as_signed(of, a)
               : op == BV_ZEXT || op == BV_TRUNC ? a
               : op == BV_ITE                    ? (a ? b : c)
                                                 : apply(op, of, a, b);
  return x & bv_mask(width);
}

// Of a folded term.
static uint64_t value_of(Bv x) {
  BvTerm e = bv_at(t, x);
  if (e.op == BV_CONST) return e.value;
  if (e.op == BV_VAR) return values[e.value / VARS][e.value % VARS];
  uint64_t a = value_of(e.a), b = e.b == BV_NONE ? 0 : value_of(e.b), c = e.c == BV_NONE ? 0 : value_of(e.c);
  return combine((BvOp)e.op, e.width, bv_at(t, e.a).width, a, b, c);
}

// -- random terms

static int add(Node n) {
  assert(bv_at(t, n.term).width == n.width);
  nodes[count] = n;
  return count++;
}

static int some(unsigned width) {
  int n = (int)below((unsigned)count);
  while (nodes[n].width != width) n = (n + 1) % count;
  return n;
}

static void add_leaves(void) {
  for (unsigned w = 0; w < WIDTHS; ++w)
    for (unsigned i = 0; i < VARS; ++i) {
      Node var = {BV_VAR, widths[w], 0, 0, 0, values[w][i], bv_var(t, widths[w], w * VARS + i)};
      uint64_t c = number(widths[w]);
      Node constant = {BV_CONST, widths[w], 0, 0, 0, c, bv_const(t, widths[w], c)};
      add(var), add(constant);
    }
}

static void add_resized(void) {
  int a = some(widths[below(WIDTHS)]);
  unsigned w = widths[below(WIDTHS)];
  bool is_signed = below(2);
  BvOp op = w < nodes[a].width ? BV_TRUNC : is_signed ? BV_SEXT : BV_ZEXT;
  Node n = {op, w, a, 0, 0, 0, bv_resize(t, nodes[a].term, w, is_signed)};
  n.value = combine(op, w, nodes[a].width, nodes[a].value, 0, 0);
  add(n);
}

static void add_choice(void) {
  unsigned w = widths[below(WIDTHS)];
  int a = some(1), b = some(w), c = some(w);
  Node n = {BV_ITE,
            w,
            a,
            b,
            c,
            nodes[a].value ? nodes[b].value : nodes[c].value,
            bv_ite(t, nodes[a].term, nodes[b].term, nodes[c].term)};
  add(n);
}

static void add_operation(void) {
  BvOp op = (BvOp)(BV_ADD + below(BV_SLE - BV_ADD + 1));
  unsigned w = widths[below(WIDTHS)];
  int a = some(w), b = below(4) ? some(w) : a;
  unsigned width = op >= BV_EQ ? 1 : w;
  Node n = {op, width, a, b, 0, 0, bv_op(t, op, nodes[a].term, nodes[b].term)};
  n.value = combine(op, width, w, nodes[a].value, nodes[b].value, 0);
  add(n);
}

static void make(void) {
  count = 0;
  for (unsigned w = 0; w < WIDTHS; ++w)
    for (unsigned i = 0; i < VARS; ++i) values[w][i] = number(widths[w]);
  add_leaves();
  for (int i = 0; i < NODES; ++i) {
    unsigned kind = below(8);
    kind < 2 ? add_resized() : kind == 2 ? add_choice() : add_operation();
  }
}

// -- what must be so

static void folding_is_right(void) {
  for (int i = 0; i < count; ++i) assert(value_of(nodes[i].term) == nodes[i].value);
}

static void sums_are_right(void) {
  for (int i = 0; i < count; ++i) {
    Linear l, twice;
    if (!linear_of(t, nodes[i].term, &l)) continue;
    uint64_t sum = l.constant;
    for (unsigned k = 0; k < l.count; ++k) sum += l.part[k].factor * value_of(l.part[k].atom);
    assert((sum & bv_mask(l.width)) == nodes[i].value);
    twice = l;
    linear_subtract(&twice, &l);
    assert(!twice.count && !twice.constant);
  }
}

static void substitution_is_right(void) {
  int x = (int)below((unsigned)count), var = 2 * (int)below(WIDTHS * VARS), with = some(nodes[var].width);
  uint64_t key = bv_at(t, nodes[var].term).value, *place = &values[key / VARS][key % VARS], before = *place;
  Bv made = bv_substitute(t, nodes[x].term, nodes[var].term, nodes[with].term);
  uint64_t is = value_of(made);
  *place = nodes[with].value;
  uint64_t must_be = value_of(nodes[x].term);
  *place = before;
  assert(is == must_be);
}

// Some that hold: nodes of one bit, or what denies them, and comparisons with what is near.
static size_t truths_of(Bv *out) {
  size_t n = 1 + below(TRUTHS);
  for (size_t i = 0; i < n; ++i) {
    unsigned w = widths[below(WIDTHS)];
    int a = below(3) ? some(w) : some(1), b = some(nodes[a].width);
    Bv x = nodes[a].term, y = nodes[b].term;
    if (below(2)) y = bv_const(t, nodes[a].width, nodes[a].value + below(3) - 1);
    Bv truth = nodes[a].width == 1 ? x : bv_op(t, (BvOp)(BV_EQ + below(5)), x, y);
    out[i] = value_of(truth) ? truth : bv_not(t, truth);
    assert(value_of(out[i]) == 1);
  }
  return n;
}

static void bounds_are_right(const Bv *truths, size_t n) {
  Intervals *in = intervals_new(t, truths, n), *free_of = intervals_new(t, NULL, 0);
  for (int i = 0; i < count; ++i) {
    Interval x = interval_of(in, nodes[i].term), y = interval_of(free_of, nodes[i].term);
    int64_t v = bv_signed(nodes[i].width, nodes[i].value);
    assert(x.low <= v && v <= x.high && y.low <= v && v <= y.high);
    if (nodes[i].width == 1 && interval_holds(t, nodes[i].term)) assert(nodes[i].value == 1);
  }
  intervals_free(in), intervals_free(free_of);
}

static void solver_is_right(const Bv *truths, size_t n) {
  enum { STEPS = 20000 };
  Solver *s = solver_new(t);
  int x = some(64);
  int64_t v = (int64_t)nodes[x].value;
  int64_t least = v < INT64_MIN + 3 ? v : v - (int64_t)below(3),
          most = v > INT64_MAX - 3 ? v : v + (int64_t)below(3);
  assert(solver_between(s, truths, n, nodes[x].term, least, most, STEPS) != SOLVE_NO);
  assert(solver_possible(s, truths, n, STEPS) != SOLVE_NO);
  solver_free(s);
}

// What the solver gives is a case indeed, whoever evaluates it.
static void models_are_right(const Bv *truths, size_t n) {
  enum { STEPS = 20000 };
  Solver *s = solver_new(t);
  Model m;
  uint64_t kept[WIDTHS][VARS];
  memcpy(kept, values, sizeof values);
  if (solver_model(s, truths, n, STEPS, &m) == SOLVE_YES) {
    for (vec_each(i, &m.vars)) {
      uint64_t key = bv_at(t, m.vars.at[i]).value;
      values[key / VARS][key % VARS] = m.values.at[i];
    }
    for (size_t i = 0; i < n; ++i) assert(value_of(truths[i]) == 1);
    model_free(&m);
  }
  memcpy(values, kept, sizeof values);
  solver_free(s);
}

static void model_values_are_right(void) {
  Model m = {0};
  Vec(Bv) terms = {0};
  for (int i = 0; i < count; ++i) vec_push(&terms, nodes[i].term);
  model_vars(t, terms.at, terms.len, &m.vars);
  for (vec_each(i, &m.vars)) {
    uint64_t key = bv_at(t, m.vars.at[i]).value;
    vec_push(&m.values, values[key / VARS][key % VARS]);
  }
  for (int i = 0; i < count; ++i) {
    uint64_t is;
    assert(model_value(t, &m, nodes[i].term, &is) && is == nodes[i].value);
  }
  vec_free(&terms);
  model_free(&m);
}

// What cannot be is told as such: or else all of the above would hold of a solver that always says yes.
static void impossible_is_told(void) {
  Solver *s = solver_new(t);
  Bv x = bv_var(t, 64, 0), ten = bv_const(t, 64, 10),
     truths[] = {bv_op(t, BV_SLT, x, ten), bv_op(t, BV_SLT, ten, x)};
  assert(solver_possible(s, truths, 2, 100000) == SOLVE_NO);
  assert(solver_possible(s, truths, 1, 100000) == SOLVE_YES);
  assert(solver_between(s, truths, 1, x, 10, 20, 100000) == SOLVE_NO);
  assert(solver_between(s, truths, 1, x, 9, 20, 100000) == SOLVE_YES);
  Model m;
  uint64_t value;
  Bv two[] = {truths[0], bv_op(t, BV_SLT, bv_const(t, 64, 8), x)};
  assert(solver_model(s, truths, 2, 100000, &m) == SOLVE_NO && !m.vars.len);
  assert(solver_model(s, two, 2, 100000, &m) == SOLVE_YES);
  assert(m.vars.len == 1 && m.vars.at[0] == x && m.values.at[0] == 9);
  assert(!model_value(t, &m, bv_var(t, 64, 1), &value));
  model_free(&m);
  solver_free(s);
}

static bool same_form(Bv a, Bv b, Bv c, Bv d) {
  Bv one[] = {a, b}, other[] = {c, d};
  Bytes x = {0}, y = {0};
  canon_write(t, one, 2, &x), canon_write(t, other, 2, &y);
  bool same = x.len == y.len && !memcmp(x.at, y.at, x.len);
  vec_free(&x), vec_free(&y);
  return same;
}

// Names of variables do not matter; which of them are the same does, and all else.
static void forms_are_right(void) {
  Bv x = bv_var(t, 64, 0), y = bv_var(t, 64, 1), z = bv_var(t, 64, 2), n = bv_var(t, 32, 3),
     m = bv_var(t, 32, 4);
  Bv xy = bv_op(t, BV_SLT, x, y), yx = bv_op(t, BV_SLT, y, x), yz = bv_op(t, BV_SLT, y, z),
     zx = bv_op(t, BV_SLT, z, x), nm = bv_op(t, BV_SLT, n, m), mn = bv_op(t, BV_SLT, m, n);
  assert(same_form(xy, yx, yz, bv_op(t, BV_SLT, z, y)));
  assert(same_form(xy, yz, yz, zx));
  assert(!same_form(xy, yx, xy, xy) && !same_form(xy, yz, xy, zx) && !same_form(xy, yz, xy, yx));
  assert(!same_form(xy, yx, nm, mn));
  assert(!same_form(xy, yx, bv_op(t, BV_ULT, x, y), yx));
  Bv three = bv_const(t, 64, 3), four = bv_const(t, 64, 4);
  Bv x3 = bv_op(t, BV_SLT, x, three), y3 = bv_op(t, BV_SLT, y, three), y4 = bv_op(t, BV_SLT, y, four);
  assert(same_form(x3, xy, y3, yz) && !same_form(x3, xy, y4, yz) && !same_form(x3, xy, y3, zx));
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, seeds = argc > 2 ? strtoul(argv[2], NULL, 10)
                                                                      : getenv("SPEC_SOAK") ? 100000
                                                                                            : 500;
  t = bvs_new();
  impossible_is_told();
  forms_are_right();
  bvs_free(t);
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    Bv truths[TRUTHS];
    state = seed * 0x2545f4914f6cdd1du + 1;
    t = bvs_new();
    make();
    if (argc > 1) printf("seed %llu\n", (unsigned long long)seed), fflush(stdout);
    folding_is_right();
    sums_are_right();
    substitution_is_right();
    size_t n = truths_of(truths);
    bounds_are_right(truths, n);
    solver_is_right(truths, n);
    models_are_right(truths, n);
    model_values_are_right();
    bvs_free(t);
  }
  return 0;
}

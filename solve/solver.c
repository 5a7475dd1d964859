// One context, terms translated once; a fresh solver for each question: they share few constraints.
#include "solver.h"
#include <assert.h>
#include <z3.h>
#include "interval.h"
#include "whole.h"

struct Solver {
  const Bvs *t;
  Z3_context c;
  Vec(Z3_ast) terms;  // by Bv; NULL: not yet
  Z3_sort sort[65];   // by width
  Z3_ast zero, one;   // of one bit
  size_t asked;
  bool broken;
  Z3_solver holding;  // of what holds always; NULL: nothing
  BvVec held;
};

static void ignore(Z3_context c, Z3_error_code e) {
  (void)c, (void)e;  // asked for after each question
}

Solver *solver_new(const Bvs *t) {
  CHECKED(bvs_check(t));
  Solver *s = mem_alloc(sizeof *s);
  Z3_config config = Z3_mk_config();
  s->t = t;
  s->c = Z3_mk_context_rc(config);
  Z3_set_error_handler(s->c, ignore);
  Z3_del_config(config);
  return s;
}

void solver_free(Solver *s) {
  if (!s) return;
  if (s->holding) Z3_solver_dec_ref(s->c, s->holding);
  vec_free(&s->held);
  for (vec_each(i, &s->terms))
    if (s->terms.at[i]) Z3_dec_ref(s->c, s->terms.at[i]);
  vec_free(&s->terms);
  if (s->one) Z3_dec_ref(s->c, s->one), Z3_dec_ref(s->c, s->zero);
  for (unsigned w = 0; w <= 64; ++w)
    if (s->sort[w]) Z3_dec_ref(s->c, Z3_sort_to_ast(s->c, s->sort[w]));
  Z3_del_context(s->c);
  mem_free(s);
}

// What Z3 has made lives until the next call, unless it is counted or part of something that is.
static Z3_ast keep(Solver *s, Z3_ast made) {
  if (made) Z3_inc_ref(s->c, made);
  return made;
}

static Z3_sort sort_of(Solver *s, unsigned width) {
  assert(width >= 1 && width <= 64);
  if (!s->sort[width]) {
    s->sort[width] = Z3_mk_bv_sort(s->c, width);
    keep(s, Z3_sort_to_ast(s->c, s->sort[width]));
  }
  return s->sort[width];
}

// A truth of the solver as a vector of one bit.
static Z3_ast as_bit(Solver *s, Z3_ast truth) {
  return Z3_mk_ite(s->c, truth, s->one, s->zero);
}
static Z3_ast is_set(Solver *s, Z3_ast bit) {
  return Z3_mk_eq(s->c, bit, s->one);
}

static Z3_ast make(Solver *s, Bv id, BvTerm x) {
  Z3_context c = s->c;
  Z3_ast a = x.a == BV_NONE ? NULL : s->terms.at[x.a], b = x.b == BV_NONE ? NULL : s->terms.at[x.b];
  Z3_sort sort = sort_of(s, x.width);
  unsigned inner = x.a == BV_NONE ? 0 : bv_at(s->t, x.a).width;
  switch ((BvOp)x.op) {
    case BV_CONST:
      return Z3_mk_unsigned_int64(c, x.value, sort);
    case BV_VAR:
      return Z3_mk_const(c, Z3_mk_int_symbol(c, (int)id), sort);
    case BV_ADD:
      return Z3_mk_bvadd(c, a, b);
    case BV_SUB:
      return Z3_mk_bvsub(c, a, b);
    case BV_MUL:
      return Z3_mk_bvmul(c, a, b);
    case BV_UDIV:
      return Z3_mk_bvudiv(c, a, b);
    case BV_SDIV:
      return Z3_mk_bvsdiv(c, a, b);
    case BV_UREM:
      return Z3_mk_bvurem(c, a, b);
    case BV_SREM:
      return Z3_mk_bvsrem(c, a, b);
    case BV_AND:
      return Z3_mk_bvand(c, a, b);
    case BV_OR:
      return Z3_mk_bvor(c, a, b);
    case BV_XOR:
      return Z3_mk_bvxor(c, a, b);
    case BV_SHL:
      return Z3_mk_bvshl(c, a, b);
    case BV_LSHR:
      return Z3_mk_bvlshr(c, a, b);
    case BV_ASHR:
      return Z3_mk_bvashr(c, a, b);
    case BV_EQ:
      return as_bit(s, Z3_mk_eq(c, a, b));
    case BV_ULT:
      return as_bit(s, Z3_mk_bvult(c, a, b));
    case BV_ULE:
      return as_bit(s, Z3_mk_bvule(c, a, b));
    case BV_SLT:
      return as_bit(s, Z3_mk_bvslt(c, a, b));
    case BV_SLE:
      return as_bit(s, Z3_mk_bvsle(c, a, b));
    case BV_ZEXT:
      return Z3_mk_zero_ext(c, x.width - inner, a);
    case BV_SEXT:
      return Z3_mk_sign_ext(c, x.width - inner, a);
    case BV_TRUNC:
      return Z3_mk_extract(c, x.width - 1, 0, a);
    case BV_ITE:
      return Z3_mk_ite(c, is_set(s, a), b, s->terms.at[x.c]);
  }
  return NULL;
}

// Operands first. Terms can be deep: no recursion.
static Z3_ast translate(Solver *s, Bv root) {
  Vec(Bv) work = {0};
  while (s->terms.len < bvs_count(s->t)) vec_push(&s->terms, (Z3_ast)NULL);
  vec_push(&work, root);
  while (work.len && !s->broken) {
    Bv id = vec_last(&work);
    BvTerm x = bv_at(s->t, id);
    Bv operands[] = {x.a, x.b, x.c};
    size_t before = work.len;
    for (int i = 0; i < 3 && !s->terms.at[id]; ++i)
      if (operands[i] != BV_NONE && !s->terms.at[operands[i]]) vec_push(&work, operands[i]);
    if (work.len > before) continue;
    work.len--;
    if (s->terms.at[id]) continue;
    Z3_ast made = make(s, id, x);
    if (!made || Z3_get_error_code(s->c) != Z3_OK) {
      s->broken = true;
      break;
    }
    s->terms.at[id] = keep(s, made);
  }
  vec_free(&work);
  return s->broken ? NULL : s->terms.at[root];
}

static void limit(Solver *s, Z3_solver q, unsigned steps) {
  Z3_params p = Z3_mk_params(s->c);
  Z3_params_inc_ref(s->c, p);
  Z3_params_set_uint(s->c, p, Z3_mk_string_symbol(s->c, "rlimit"), steps);
  Z3_solver_set_params(s->c, q, p);
  Z3_params_dec_ref(s->c, p);
}

// A product or quotient of two variables: as bits, these are hopeless.
static bool is_hard(const Bvs *t, Bv root) {
  BvVec work = {0};
  Map *seen = map_new();
  bool hard = false;
  vec_push(&work, root);
  while (work.len && !hard) {
    Bv x = vec_pop(&work), c;
    BvTerm e = bv_at(t, x);
    uint64_t value;
    c = e.b;
    hard = e.op >= BV_MUL && e.op <= BV_SREM && e.width > 16 && !bv_is_const(t, c, &value);
    Bv parts[] = {e.a, e.b, e.c};
    for (int i = 0; i < 3; ++i)
      if (parts[i] != BV_NONE && !map_or(seen, parts[i], 0))
        map_put(seen, parts[i], 1), vec_push(&work, parts[i]);
  }
  map_free(seen);
  vec_free(&work);
  return hard;
}

// Of a variable that the solver did not need: 0.
static bool read_model(Solver *s, Z3_solver q, const Bv *truths, size_t count, Model *out) {
  Z3_model found = Z3_solver_get_model(s->c, q);
  if (!found) return false;
  Z3_model_inc_ref(s->c, found);
  bool ok = true;
  model_vars(s->t, truths, count, &out->vars);
  for (vec_each(i, &out->vars)) {
    Z3_ast value;
    uint64_t number = 0;
    ok = ok && Z3_model_eval(s->c, found, s->terms.at[out->vars.at[i]], true, &value) &&
         Z3_get_numeral_uint64(s->c, value, &number);
    vec_push(&out->values, number);
  }
  Z3_model_dec_ref(s->c, found);
  for (size_t i = 0; i < count && ok; ++i) {
    uint64_t is;
    ok = model_value(s->t, out, truths[i], &is) && is == 1;
  }
  return ok;
}

static SolveAnswer answer_of(Z3_lbool answer) {
  return answer == Z3_L_FALSE ? SOLVE_NO : answer == Z3_L_TRUE ? SOLVE_YES : SOLVE_UNKNOWN;
}

static void make_bits(Solver *s) {
  if (s->one) return;
  s->zero = keep(s, Z3_mk_unsigned_int64(s->c, 0, sort_of(s, 1)));
  s->one = keep(s, Z3_mk_unsigned_int64(s->c, 1, sort_of(s, 1)));
}

void solver_hold(Solver *s, Bv truth) {
  assert(bv_at(s->t, truth).width == 1);
  vec_push(&s->held, truth);
  if (s->broken) return;
  make_bits(s);
  if (!s->holding) {
    s->holding = Z3_mk_solver_for_logic(s->c, Z3_mk_string_symbol(s->c, "QF_BV"));
    Z3_solver_inc_ref(s->c, s->holding);
  }
  Z3_ast made = translate(s, truth);
  if (made) Z3_solver_assert(s->c, s->holding, is_set(s, made));
  if (Z3_get_error_code(s->c) != Z3_OK) s->broken = true;
}

// A case in which what holds always is true too.
static bool read_whole_model(Solver *s, Z3_solver q, const Bv *truths, size_t count, Model *out) {
  BvVec all = {0};
  vec_append(&all, truths, count);
  vec_append(&all, s->held.at, s->held.len);
  bool ok = read_model(s, q, all.at, all.len, out);
  vec_free(&all);
  return ok;
}

static SolveAnswer possible(Solver *s, const Bv *truths, size_t count, unsigned steps, Model *out) {
  if (s->broken) return SOLVE_UNKNOWN;
  make_bits(s);
  for (size_t i = 0; i < count; ++i) assert(bv_at(s->t, truths[i]).width == 1);
  for (size_t i = 0; i < count; ++i)
    if (is_hard(s->t, truths[i])) return SOLVE_UNKNOWN;
  s->asked++;
  Z3_solver q = s->holding ? s->holding : Z3_mk_solver_for_logic(s->c, Z3_mk_string_symbol(s->c, "QF_BV"));
  Z3_solver_inc_ref(s->c, q);
  if (s->holding) Z3_solver_push(s->c, q);
  limit(s, q, steps);
  for (size_t i = 0; i < count && !s->broken; ++i) {
    Z3_ast truth = translate(s, truths[i]);
    if (truth) Z3_solver_assert(s->c, q, is_set(s, truth));
  }
  SolveAnswer answer = s->broken ? SOLVE_UNKNOWN : answer_of(Z3_solver_check(s->c, q));
  if (answer == SOLVE_YES && out && !read_whole_model(s, q, truths, count, out)) answer = SOLVE_UNKNOWN;
  if (s->holding) Z3_solver_pop(s->c, q, 1);
  if (Z3_get_error_code(s->c) != Z3_OK) s->broken = true, answer = SOLVE_UNKNOWN;
  Z3_solver_dec_ref(s->c, q);
  return answer;
}

SolveAnswer solver_possible(Solver *s, const Bv *truths, size_t count, unsigned steps) {
  return possible(s, truths, count, steps, NULL);
}

SolveAnswer solver_model(Solver *s, const Bv *truths, size_t count, unsigned steps, Model *out) {
  *out = (Model){0};
  SolveAnswer answer = possible(s, truths, count, steps, out);
  if (answer != SOLVE_YES) model_free(out);
  return answer;
}

SolveAnswer solver_between(Solver *s, const Bv *truths, size_t count, Bv x, int64_t least, int64_t most,
                           unsigned steps) {
  if (s->broken) return SOLVE_UNKNOWN;
  s->asked++;
  Whole *w = whole_new(s->c, s->t, truths, count);
  Z3_solver q = Z3_mk_solver_for_logic(s->c, Z3_mk_string_symbol(s->c, "QF_LIA"));
  Z3_solver_inc_ref(s->c, q);
  limit(s, q, steps);
  for (size_t i = 0; i < count; ++i) whole_assert(w, q, truths[i]);
  whole_assert_near(w, q, x, least, most);
  whole_finish(w, q);
  Z3_lbool answer = Z3_solver_check(s->c, q);
  if (Z3_get_error_code(s->c) != Z3_OK) s->broken = true, answer = Z3_L_UNDEF;
  Z3_solver_dec_ref(s->c, q);
  whole_free(w);
  return answer_of(answer);
}

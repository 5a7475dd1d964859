// A number of the solver has a width, one of Σ has 64 bits and a sign: each is written as what it is with its
// sign, and cut to its width where it may have left that.
#include "term_of.h"
#include <assert.h>
#include <stdlib.h>

typedef struct {
  const TermInput *in;
  Bvs *t;
  Terms *out;
} Writer;

enum { STEPS = 200000, MANY = 60 };  // truths of which each is held against all others

void term_input(TermInput *out, Flow *f, LLVMValueRef main) {
  *out = (TermInput){.numbers = flow_numbers(f), .argc = BV_NONE, .t = flow_terms(f)};
  for (vec_each(i, out->numbers)) {
    const InputNumber *n = &out->numbers->at[i];
    assert(i < LIMIT_INPUT_NUMBERS || n->scanned);
    if (i < LIMIT_INPUT_NUMBERS)
      out->texts[i] = n->name && n->where ? flow_term(f, n->where, n->where, 1, NULL) : BV_NONE;
  }
  if (main && LLVMCountParams(main))
    out->argc =
        flow_term(f, LLVMGetParam(main, 0), LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(main)), 1, NULL);
}

static const InputNumber *number_of(const TermInput *in, Bv x) {
  for (vec_each(i, in->numbers))
    if (in->numbers->at[i].value == x && !in->numbers->at[i].scanned) return &in->numbers->at[i];
  return NULL;
}

// The name of the variable of the environment that getenv was asked for; NULL: it is none.
static const char *text_of(const TermInput *in, Bv x) {
  for (size_t i = 0; i < in->numbers->len && i < LIMIT_INPUT_NUMBERS; ++i)
    if (in->texts[i] == x && x != BV_NONE) return in->numbers->at[i].name;
  return NULL;
}

bool term_knows(const TermInput *in, Bv x) {
  return x == in->argc || number_of(in, x) || text_of(in, x);
}

static const char *recorded_text(const Sigma *s, const Schedule *c, const InputNumber *n) {
  if (!n->name) return n->index < c->argv.len ? sigma_text(s, c->argv.at[n->index]) : NULL;
  for (vec_each(i, &c->env))
    if (!strcmp(sigma_text(s, c->env.at[i].name), n->name))
      return c->env.at[i].value == SIGMA_NONE ? NULL : sigma_text(s, c->env.at[i].value);
  return NULL;
}

bool term_recorded(const TermInput *in, const Sigma *s, const Schedule *c, Bv x, uint64_t *value) {
  Model m = {0};
  bool known = c->argv.len > 0;
  model_vars(in->t, &x, 1, &m.vars);
  for (vec_each(i, &m.vars)) {
    const InputNumber *n = number_of(in, m.vars.at[i]);
    const char *text = n ? recorded_text(s, c, n) : NULL;
    known &= text || m.vars.at[i] == in->argc;
    vec_push(&m.values, text ? (uint64_t)strtoll(text, NULL, 10) : c->argv.len);
  }
  known = known && model_value(in->t, &m, x, value);
  model_free(&m);
  return known;
}

// -- writing

static Term apply(const Writer *w, TermOp op, Term a, Term b) {
  Term parts[] = {a, b};
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  return term_apply(w->out, op, parts, 2, NULL);
}

static Term apply_one(const Writer *w, TermOp op, Term a) {
  return a == TERM_NONE ? a : term_apply(w->out, op, &a, 1, NULL);
}

static Term cut(const Writer *w, unsigned width, bool is_signed, Term x) {
  switch (width) {
    case 8:
      return apply_one(w, is_signed ? TERM_INT8 : TERM_UINT8, x);
    case 16:
      return apply_one(w, is_signed ? TERM_INT16 : TERM_UINT16, x);
    case 32:
      return apply_one(w, is_signed ? TERM_INT32 : TERM_UINT32, x);
    default:
      return width == 64 ? x : TERM_NONE;
  }
}

static Term read(const Writer *w, const InputNumber *n, TermOp how) {
  return apply_one(w, how, n->name ? term_env(w->out, n->name) : term_argv(w->out, n->index));
}

static Term number(const Writer *w, Bv x);
static Term truth(const Writer *w, Bv x);

// Without its sign.
static Term plain(const Writer *w, Bv x) {
  unsigned width = bv_at(w->t, x).width;
  return width == 64 ? TERM_NONE : cut(w, width, false, number(w, x));
}

static Term extended(const Writer *w, BvTerm e) {
  BvTerm of = bv_at(w->t, e.a);
  if (of.width > 1) return e.op == BV_SEXT ? number(w, e.a) : plain(w, e.a);
  Term parts[] = {truth(w, e.a), term_int(w->out, e.op == BV_SEXT ? -1 : 1), term_int(w->out, 0)};
  return parts[0] == TERM_NONE ? TERM_NONE : term_apply(w->out, TERM_ITE, parts, 3, NULL);
}

static Term operation(const Writer *w, BvTerm e) {
  static const struct {
    BvOp from;
    TermOp to;
    bool sign;  // its operands are meant with their signs
  } table[] = {{BV_ADD, TERM_ADD, true},      {BV_SUB, TERM_SUB, true},      {BV_MUL, TERM_MUL, true},
               {BV_SDIV, TERM_DIV, true},     {BV_SREM, TERM_MOD, true},     {BV_AND, TERM_BVAND, true},
               {BV_OR, TERM_BVOR, true},      {BV_XOR, TERM_BVXOR, true},    {BV_UDIV, TERM_BVUDIV, false},
               {BV_UREM, TERM_BVUREM, false}, {BV_LSHR, TERM_BVLSHR, false}, {BV_SHL, TERM_BVSHL, false},
               {BV_ASHR, TERM_BVASHR, true}};
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (table[i].from != (BvOp)e.op) continue;
    bool sign = table[i].sign || e.width == 64;
    Term a = sign ? number(w, e.a) : plain(w, e.a), b = sign ? number(w, e.b) : plain(w, e.b);
    return cut(w, e.width, true, apply(w, table[i].to, a, b));
  }
  return TERM_NONE;
}

static Term number(const Writer *w, Bv x) {
  BvTerm e = bv_at(w->t, x);
  const InputNumber *n = number_of(w->in, e.op == BV_TRUNC ? e.a : x);
  if (x == w->in->argc) return term_argc(w->out);
  if (n && e.op == BV_TRUNC)
    return e.width == 32 ? read(w, n, TERM_ATOI) : cut(w, e.width, true, read(w, n, TERM_ATOL));
  if (n) return read(w, n, TERM_ATOL);
  if (e.op == BV_VAR && w->in->other) return w->in->other(w->in->self, w, x);
  switch ((BvOp)e.op) {
    case BV_CONST:
      return term_int(w->out, bv_signed(e.width, e.value));
    case BV_ZEXT:
    case BV_SEXT:
      return extended(w, e);
    case BV_TRUNC:
      return cut(w, e.width, true, number(w, e.a));
    case BV_ITE: {
      Term parts[] = {truth(w, e.a), number(w, e.b), number(w, e.c)};
      bool said = parts[0] != TERM_NONE && parts[1] != TERM_NONE && parts[2] != TERM_NONE;
      return said ? term_apply(w->out, TERM_ITE, parts, 3, NULL) : TERM_NONE;
    }
    default:
      return operation(w, e);
  }
}

static Term unsigned_less(const Writer *w, BvTerm e) {
  if (bv_at(w->t, e.a).width == 64)
    return apply(w, e.op == BV_ULT ? TERM_BVULT : TERM_BVULE, number(w, e.a), number(w, e.b));
  return apply(w, e.op == BV_ULT ? TERM_LT : TERM_LE, plain(w, e.a), plain(w, e.b));
}

// The opposite comparison, where there is one.
static Term negated(const Writer *w, Bv x) {
  BvTerm e = bv_at(w->t, x);
  if (e.op == BV_SLT) return apply(w, TERM_GE, number(w, e.a), number(w, e.b));
  if (e.op == BV_SLE) return apply(w, TERM_GT, number(w, e.a), number(w, e.b));
  if (e.op == BV_EQ && bv_is(w->t, e.b, 0) && text_of(w->in, e.a))
    return apply_one(w, TERM_DEFINED, term_env(w->out, text_of(w->in, e.a)));
  if (e.op == BV_EQ && bv_is(w->t, e.b, 0) && text_of(w->in, e.a))
    return apply_one(w, TERM_DEFINED, term_env(w->out, text_of(w->in, e.a)));
  return apply_one(w, TERM_NOT, truth(w, x));
}

static Term truth(const Writer *w, Bv x) {
  BvTerm e = bv_at(w->t, x);
  assert(e.width == 1);
  if (e.op == BV_VAR && w->in->other) return w->in->other(w->in->self, w, x);
  switch ((BvOp)e.op) {
    case BV_CONST:
      return term_bool(w->out, e.value != 0);
    case BV_AND:
      return apply(w, TERM_AND, truth(w, e.a), truth(w, e.b));
    case BV_OR:
      return apply(w, TERM_OR, truth(w, e.a), truth(w, e.b));
    case BV_XOR:
      if (bv_is(w->t, e.b, 1)) return negated(w, e.a);
      return apply_one(w, TERM_NOT, apply(w, TERM_EQ, truth(w, e.a), truth(w, e.b)));
    case BV_EQ:
      if (bv_is(w->t, e.b, 0) && text_of(w->in, e.a))
        return apply_one(w, TERM_NOT, apply_one(w, TERM_DEFINED, term_env(w->out, text_of(w->in, e.a))));
      if (bv_is(w->t, e.b, 0) && bv_at(w->t, e.a).width == 1) return negated(w, e.a);
      if (bv_at(w->t, e.a).width == 1) return apply(w, TERM_EQ, truth(w, e.a), truth(w, e.b));
      return apply(w, TERM_EQ, number(w, e.a), number(w, e.b));
    case BV_SLT:
      return apply(w, TERM_LT, number(w, e.a), number(w, e.b));
    case BV_SLE:
      return apply(w, TERM_LE, number(w, e.a), number(w, e.b));
    case BV_ULT:
    case BV_ULE:
      return unsigned_less(w, e);
    case BV_ITE: {
      Term parts[] = {truth(w, e.a), truth(w, e.b), truth(w, e.c)};
      bool said = parts[0] != TERM_NONE && parts[1] != TERM_NONE && parts[2] != TERM_NONE;
      return said ? term_apply(w->out, TERM_ITE, parts, 3, NULL) : TERM_NONE;
    }
    default:
      return TERM_NONE;
  }
}

Term term_number(const void *writer, Bv x) {
  return number(writer, x);
}
Terms *term_target(const void *writer) {
  return ((const Writer *)writer)->out;
}

// -- shorter

static bool have_common(const BvVec *a, const BvVec *b) {
  for (vec_each(i, a))
    for (vec_each(k, b))
      if (a->at[i] == b->at[k]) return true;
  return false;
}

// Those that have to do with the variables of x, directly or not: the others only cost the solver time.
static void about(const Bvs *t, const BvVec *truths, Bv x, BvVec *out) {
  BvVec vars = {0};
  bool *in = mem_array(truths->len + 1, sizeof *in), more = true;
  model_vars(t, &x, 1, &vars);
  while (more) {
    more = false;
    for (vec_each(i, truths)) {
      BvVec of = {0};
      model_vars(t, &truths->at[i], 1, &of);
      if (!in[i] && have_common(&vars, &of)) {
        in[i] = more = true;
        vec_push(out, truths->at[i]);
        vec_append(&vars, of.at, of.len);
      }
      vec_free(&of);
    }
  }
  vec_free(&vars);
  mem_free(in);
}

bool term_only_value(Solver *s, Bvs *t, const BvVec *given, Bv x, uint64_t *value) {
  Model m = {0};
  BvVec all = {0}, some = {0}, *truths = &some;
  if (bv_is_const(t, x, value)) return true;
  about(t, given, x, &some);
  vec_append(&all, truths->at, truths->len);
  vec_push(&all, bv_op(t, BV_EQ, x, x));
  bool is = truths->len && solver_model(s, truths->at, truths->len, STEPS, &m) == SOLVE_YES &&
            model_value(t, &m, x, value);
  if (is) {
    all.at[all.len - 1] = bv_not(t, bv_op(t, BV_EQ, x, bv_const(t, bv_at(t, x).width, *value)));
    is = solver_possible(s, all.at, all.len, STEPS) == SOLVE_NO;
  }
  model_free(&m);
  vec_free(&all), vec_free(&some);
  return is;
}

// What is fixed comes first, as an equality.
static void pin(Solver *s, Bvs *t, const BvVec *truths, Bv x, BvVec *out) {
  uint64_t value, known;
  if (x == BV_NONE || bv_is_const(t, x, &known) || !term_only_value(s, t, truths, x, &value)) return;
  vec_push(out, bv_op(t, BV_EQ, x, bv_const(t, bv_at(t, x).width, value)));
}

static bool implied(Solver *s, Bvs *t, const BvVec *some, const BvVec *more, size_t without, Bv truth) {
  BvVec all = {0};
  vec_append(&all, some->at, some->len);
  for (size_t i = 0; i < more->len; ++i)
    if (i != without) vec_push(&all, more->at[i]);
  vec_push(&all, bv_not(t, truth));
  bool is = solver_possible(s, all.at, all.len, STEPS) == SOLVE_NO;
  vec_free(&all);
  return is;
}

// With the numbers that are fixed: of an int the lower half, of which alone the program knows.
static Bv with_pins(Bvs *t, const TermInput *in, const BvVec *pins, Bv truth) {
  for (vec_each(i, pins)) {
    BvTerm e = bv_at(t, pins->at[i]), left = bv_at(t, e.a);
    uint64_t value = bv_at(t, e.b).value;
    if (e.a == in->argc || left.op == BV_VAR) {
      truth = bv_substitute(t, truth, e.a, e.b);
      continue;
    }
    assert(left.op == BV_TRUNC);
    Bv high = bv_op(t, BV_AND, left.a, bv_const(t, 64, ~bv_mask(left.width)));
    truth = bv_substitute(t, truth, left.a, bv_op(t, BV_OR, high, bv_const(t, 64, value)));
  }
  return truth;
}

static Term all_of(const Writer *w, const BvVec *truths) {
  Vec(Term) parts = {0};
  bool said = true;
  for (vec_each(i, truths)) {
    Term one = truth(w, truths->at[i]);
    said &= one != TERM_NONE;
    vec_push(&parts, one);
  }
  Term all = !said            ? TERM_NONE
             : !parts.len     ? term_bool(w->out, true)
             : parts.len == 1 ? parts.at[0]
                              : term_apply(w->out, TERM_AND, parts.at, parts.len, NULL);
  vec_free(&parts);
  return all;
}

Term term_conjunction(const TermInput *in, Solver *s, Bvs *t, const BvVec *truths, Terms *out) {
  BvVec kept = {0}, rest = {0};
  Writer w = {in, t, out};
  if (s) pin(s, t, truths, in->argc, &kept);
  for (size_t i = 0; s && i < in->numbers->len; ++i) {
    const InputNumber *n = &in->numbers->at[i];
    bool again = n->scanned;
    for (size_t k = 0; k < i; ++k) again |= in->numbers->at[k].value == n->value;
    if (!again) pin(s, t, truths, n->of_int ? bv_resize(t, n->value, 32, false) : n->value, &kept);
  }
  for (vec_each(i, truths)) {
    Bv one = with_pins(t, in, &kept, truths->at[i]);
    if (!bv_is(t, one, 1)) vec_push(&rest, one);
  }
  for (size_t i = s && rest.len <= MANY ? rest.len : 0; i-- > 0;)
    if (implied(s, t, &kept, &rest, i, rest.at[i])) {
      for (size_t k = i + 1; k < rest.len; ++k) rest.at[k - 1] = rest.at[k];
      rest.len--;
    }
  vec_append(&kept, rest.at, rest.len);
  Term all = all_of(&w, &kept);
  vec_free(&kept), vec_free(&rest);
  return all;
}

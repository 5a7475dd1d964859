// Terms are total: a comparison of what has no value, such as an argument that is not there, is false. So
// each truth is kept from two sides: one that holds whenever the term does (over), and one that implies it;
// what is not understood is true from one side and false from the other, and `not` changes sides.
#include "when.h"
#include <assert.h>

typedef struct {
  const WhenInput *in;
  Bvs *t;
} When;

static Bv truth_of(const When *w, Term t, bool over);

static Bv bit(const When *w, bool is) {
  return bv_const(w->t, 1, is);
}
static Bv both(const When *w, Bv a, Bv b) {
  return bv_op(w->t, BV_AND, a, b);
}
static Bv either(const When *w, Bv a, Bv b) {
  return bv_op(w->t, BV_OR, a, b);
}

// -- numbers

Bv when_number(const WhenInput *in, uint32_t index, const char *name) {
  for (vec_each(i, in->numbers)) {
    const InputNumber *n = &in->numbers->at[i];
    bool same = name ? n->name && !strcmp(n->name, name) : !n->name && !n->scanned && n->index == index;
    if (same) return n->value;
  }
  return BV_NONE;
}

static Bv argument_count(const When *w) {
  LLVMValueRef main = w->in->main;
  if (!LLVMCountParams(main)) return BV_NONE;
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(main));
  Bv argc = known_value(w->in->v, LLVMGetParam(main, 0), first, 1);
  return argc == BV_NONE ? BV_NONE : bv_resize(w->t, argc, 64, true);
}

static Bv read_number(const When *w, TermNode n, Term t) {
  if (n.count != 1) return BV_NONE;
  Term from = term_operand(w->in->terms, t, 0);
  TermNode f = term_at(w->in->terms, from);
  if (f.op != TERM_ARGV && f.op != TERM_ENV) return BV_NONE;
  const char *name = f.op == TERM_ENV ? term_text(w->in->terms, from) : NULL;
  Bv x = when_number(w->in, name ? 0 : (uint32_t)f.as.i, name);
  if (x == BV_NONE || n.op != TERM_ATOI) return x;
  return bv_resize(w->t, bv_resize(w->t, x, 32, true), 64, true);
}

static Bv number_of(const When *w, Term t);

static Bv chain(const When *w, BvOp op, TermNode n, Term t) {
  Bv sum = number_of(w, term_operand(w->in->terms, t, 0));
  if (n.count == 1 && n.op == TERM_SUB)
    return sum == BV_NONE ? sum : bv_op(w->t, BV_SUB, bv_const(w->t, 64, 0), sum);
  for (uint32_t k = 1; k < n.count && sum != BV_NONE; ++k) {
    Bv x = number_of(w, term_operand(w->in->terms, t, k));
    sum = x == BV_NONE ? x : bv_op(w->t, op, sum, x);
  }
  return sum;
}

static Bv choice(const When *w, Term t) {
  Term c = term_operand(w->in->terms, t, 0);
  Bv over = truth_of(w, c, true), under = truth_of(w, c, false);
  Bv yes = number_of(w, term_operand(w->in->terms, t, 1)),
     no = number_of(w, term_operand(w->in->terms, t, 2));
  return over != under || yes == BV_NONE || no == BV_NONE ? BV_NONE : bv_ite(w->t, over, yes, no);
}

static Bv narrowed(const When *w, Term t, unsigned width, bool is_signed) {
  Bv x = number_of(w, term_operand(w->in->terms, t, 0));
  return x == BV_NONE ? x : bv_resize(w->t, bv_resize(w->t, x, width, false), 64, is_signed);
}

// As 64 bits, where it has a value; BV_NONE: not known.
static Bv number_of(const When *w, Term t) {
  static const struct {
    TermOp from;
    BvOp to;
  } table[] = {{TERM_ADD, BV_ADD},  {TERM_SUB, BV_SUB},     {TERM_MUL, BV_MUL},     {TERM_DIV, BV_SDIV},
               {TERM_MOD, BV_SREM}, {TERM_BVUDIV, BV_UDIV}, {TERM_BVUREM, BV_UREM}, {TERM_BVAND, BV_AND},
               {TERM_BVOR, BV_OR},  {TERM_BVXOR, BV_XOR}};
  static const struct {
    TermOp op;
    unsigned width;
    bool is_signed;
  } widths[] = {{TERM_INT8, 8, true},   {TERM_INT16, 16, true},   {TERM_INT32, 32, true},
                {TERM_UINT8, 8, false}, {TERM_UINT16, 16, false}, {TERM_UINT32, 32, false}};
  TermNode n = term_at(w->in->terms, t);
  if (n.type != TERM_IS_INT64) return BV_NONE;
  if (n.op == TERM_INT) return bv_const(w->t, 64, (uint64_t)n.as.i);
  if (n.op == TERM_ARGC) return argument_count(w);
  if (n.op == TERM_ATOI || n.op == TERM_ATOL || n.op == TERM_ATOLL) return read_number(w, n, t);
  if (n.op == TERM_ITE) return choice(w, t);
  for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    if (widths[i].op == (TermOp)n.op) return narrowed(w, t, widths[i].width, widths[i].is_signed);
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (table[i].from == (TermOp)n.op) return chain(w, table[i].to, n, t);
  return BV_NONE;
}

// -- truths

static bool divides(TermNode n) {
  return n.op == TERM_DIV || n.op == TERM_MOD || n.op == TERM_BVUDIV || n.op == TERM_BVUREM;
}

// Operations that have a value wherever their operands do, but for division by zero.
static bool is_total(TermNode n) {
  return n.op == TERM_ATOI || n.op == TERM_ATOL || n.op == TERM_ATOLL || divides(n) ||
         (n.type == TERM_IS_INT64 && n.op >= TERM_ADD && n.op <= TERM_MUL) ||
         (n.op >= TERM_BVAND && n.op <= TERM_BVXOR) || (n.op >= TERM_INT8 && n.op <= TERM_UINT32);
}

// Whether a term has a value.
static Bv is_defined(const When *w, Term t, bool over) {
  TermNode n = term_at(w->in->terms, t);
  if (n.type == TERM_IS_BOOL) return bit(w, true);
  if (n.op == TERM_INT || n.op == TERM_REAL || n.op == TERM_STRING || n.op == TERM_ARGC) return bit(w, true);
  if (n.op == TERM_ARGV) {
    Bv argc = argument_count(w);
    return argc == BV_NONE ? bit(w, over) : bv_op(w->t, BV_SLT, bv_const(w->t, 64, (uint64_t)n.as.i), argc);
  }
  bool total = is_total(n);
  if (!total && (!over || n.op == TERM_ITE)) return bit(w, over);
  Bv all = bit(w, true);
  for (uint32_t i = 0; i < n.count; ++i)
    all = both(w, all, is_defined(w, term_operand(w->in->terms, t, i), over));
  Bv by = divides(n) ? number_of(w, term_operand(w->in->terms, t, 1)) : BV_NONE;
  if (divides(n) && by == BV_NONE) return over ? all : bit(w, false);
  if (by == BV_NONE) return all;
  return both(w, all, bv_not(w->t, bv_op(w->t, BV_EQ, by, bv_const(w->t, 64, 0))));
}

static Bv compared(const When *w, TermOp op, Term a, Term b, bool over) {
  Bv x = number_of(w, a), y = number_of(w, b);
  if (x == BV_NONE || y == BV_NONE) return bit(w, over);
  switch (op) {
    case TERM_EQ:
      return bv_op(w->t, BV_EQ, x, y);
    case TERM_DISTINCT:
      return bv_not(w->t, bv_op(w->t, BV_EQ, x, y));
    case TERM_LT:
      return bv_op(w->t, BV_SLT, x, y);
    case TERM_LE:
      return bv_op(w->t, BV_SLE, x, y);
    case TERM_GT:
      return bv_op(w->t, BV_SLT, y, x);
    case TERM_GE:
      return bv_op(w->t, BV_SLE, y, x);
    case TERM_BVULT:
      return bv_op(w->t, BV_ULT, x, y);
    case TERM_BVULE:
      return bv_op(w->t, BV_ULE, x, y);
    default:
      return bit(w, over);
  }
}

// Each with the next; of `distinct` each with each.
static Bv comparison(const When *w, TermNode n, Term t, bool over) {
  const Terms *ts = w->in->terms;
  Bv all = bit(w, true);
  for (uint32_t i = 0; i < n.count; ++i) all = both(w, all, is_defined(w, term_operand(ts, t, i), over));
  for (uint32_t i = 0; i < n.count; ++i)
    for (uint32_t k = i + 1; k < n.count && (k == i + 1 || n.op == TERM_DISTINCT); ++k)
      all = both(w, all, compared(w, (TermOp)n.op, term_operand(ts, t, i), term_operand(ts, t, k), over));
  return all;
}

static Bv joined(const When *w, TermNode n, Term t, bool over) {
  Bv all = bit(w, n.op == TERM_AND);
  for (uint32_t i = 0; i < n.count; ++i) {
    Bv one = truth_of(w, term_operand(w->in->terms, t, i), over);
    all = n.op == TERM_AND ? both(w, all, one) : either(w, all, one);
  }
  return all;
}

static Bv chosen(const When *w, Term t, bool over) {
  Term c = term_operand(w->in->terms, t, 0);
  Bv yes = truth_of(w, term_operand(w->in->terms, t, 1), over);
  Bv no = truth_of(w, term_operand(w->in->terms, t, 2), over);
  Bv is = truth_of(w, c, over), is_not = bv_not(w->t, truth_of(w, c, !over));
  return either(w, both(w, is, yes), both(w, is_not, no));
}

static Bv truth_of(const When *w, Term t, bool over) {
  TermNode n = term_at(w->in->terms, t);
  assert(n.type == TERM_IS_BOOL);
  switch ((TermOp)n.op) {
    case TERM_TRUE:
    case TERM_FALSE:
      return bit(w, n.op == TERM_TRUE);
    case TERM_NOT:
      return bv_not(w->t, truth_of(w, term_operand(w->in->terms, t, 0), !over));
    case TERM_AND:
    case TERM_OR:
      return joined(w, n, t, over);
    case TERM_ITE:
      return chosen(w, t, over);
    case TERM_DEFINED:
      return is_defined(w, term_operand(w->in->terms, t, 0), over);
    default:
      return n.op >= TERM_EQ && n.op <= TERM_BVULE ? comparison(w, n, t, over) : bit(w, over);
  }
}

void when_facts(const WhenInput *in, Term t) {
  When w = {in, known_terms(in->v)};
  TermNode n = term_at(in->terms, t);
  for (uint32_t i = 0; n.op == TERM_AND && i < n.count; ++i) when_facts(in, term_operand(in->terms, t, i));
  if (n.op == TERM_AND) return;
  Bv fact = truth_of(&w, t, true);
  if (!bv_is(w.t, fact, 1)) known_fact(in->v, fact);
}

#include "space.h"
#include <assert.h>
#include "sigma/sigma.h"

Sliced *space_new(void) {
  Sliced *s = mem_alloc(sizeof *s);
  s->t = bvs_new();
  return s;
}

void space_free(Sliced *s) {
  if (!s) return;
  sliced_free(s);
  mem_free(s);
}

static bool is_same(const Atom *x, const Atom *y) {
  bool name = x->name == y->name || (x->name && y->name && !strcmp(x->name, y->name));
  return name && x->kind == y->kind && x->index == y->index && x->at == y->at && x->a == y->a && x->b == y->b;
}

Bv space_atom(Sliced *s, Atom a) {
  for (vec_each(i, &s->atoms)) {
    Atom *x = &s->atoms.at[i];
    if (!is_same(x, &a)) continue;
    mem_free(a.name);
    x->wide |= a.wide;
    return x->var;
  }
  a.var = bv_var(s->t, a.width, s->atoms.len);
  vec_push(&s->atoms, a);
  return a.var;
}

static Bv rebuilt(Sliced *s, BvTerm e, const Bv *parts) {
  switch ((BvOp)e.op) {
    case BV_CONST:
      return bv_const(s->t, e.width, e.value);
    case BV_ZEXT:
    case BV_SEXT:
    case BV_TRUNC:
      return bv_resize(s->t, parts[0], e.width, e.op == BV_SEXT);
    case BV_ITE:
      return bv_ite(s->t, parts[0], parts[1], parts[2]);
    default:
      return bv_op(s->t, (BvOp)e.op, parts[0], parts[1]);
  }
}

static Bv import(Sliced *s, const Sliced *from, Bv x, Map *known) {
  uint64_t there = map_or(known, x, 0);
  if (there) return (Bv)there - 1;
  BvTerm e = bv_at(from->t, x);
  Bv of[] = {e.a, e.b, e.c}, parts[3] = {BV_NONE, BV_NONE, BV_NONE}, y;
  const Atom *a = sliced_atom(from, x);
  if (a) {
    Atom own = *a;
    assert(a->kind != ATOM_OPAQUE && a->kind != ATOM_OBJECT);
    own.name = a->name ? mem_string(a->name) : NULL;
    own.a = a->a == BV_NONE ? BV_NONE : import(s, from, a->a, known);
    own.b = a->b == BV_NONE ? BV_NONE : import(s, from, a->b, known);
    y = space_atom(s, own);
  } else {
    for (int i = 0; i < 3; ++i)
      if (of[i] != BV_NONE) parts[i] = import(s, from, of[i], known);
    y = rebuilt(s, e, parts);
  }
  map_put(known, x, (uint64_t)y + 1);
  return y;
}

Bv space_import(Sliced *s, const Sliced *from, Bv x) {
  Map *known = map_new();
  Bv y = import(s, from, x, known);
  map_free(known);
  return y;
}

// --- terms of Σ

typedef struct {
  Sliced *s;
  const Terms *ts;
} Reader;

static Bv value(const Reader *r, Term t);

static Bv constant(const Reader *r, int64_t x) {
  return bv_const(r->s->t, 64, (uint64_t)x);
}

static Bv argc_of(const Reader *r) {
  return space_atom(r->s, (Atom){.kind = ATOM_ARGC, .width = 32, .a = BV_NONE, .b = BV_NONE});
}

// An argument or a variable of the environment, as the atom of this kind; at: of ATOM_CHAR.
static Bv text_atom(const Reader *r, Term t, AtomKind kind, unsigned width, uint32_t at, bool wide) {
  TermNode n = term_at(r->ts, t);
  Atom a = {
      .kind = (uint8_t)kind, .width = (uint8_t)width, .at = at, .a = BV_NONE, .b = BV_NONE, .wide = wide};
  if (n.op == TERM_ARGV)
    a.index = (uint32_t)n.as.i;
  else if (n.op == TERM_ENV && kind != ATOM_CHAR)
    a.name = mem_string(term_text(r->ts, n.as.text));
  else
    return BV_NONE;
  return space_atom(r->s, a);
}

// What must be there for a comparison to be true.
static Bv is_there(const Reader *r, Term t) {
  TermNode n = term_at(r->ts, t);
  Bv all = bv_const(r->s->t, 1, 1);
  if (n.op == TERM_ARGV) return bv_op(r->s->t, BV_SLT, bv_const(r->s->t, 32, (uint64_t)n.as.i), argc_of(r));
  if (n.op == TERM_ENV) {
    Bv at = text_atom(r, t, ATOM_ENVIRONMENT, 64, 0, false);
    return bv_not(r->s->t, bv_op(r->s->t, BV_EQ, at, constant(r, 0)));
  }
  for (uint32_t i = 0; i < n.count; ++i)
    all = bv_op(r->s->t, BV_AND, all, is_there(r, term_operand(r->ts, t, i)));
  return all;
}

static Bv equal_texts(const Reader *r, Term a, Term b) {
  TermNode x = term_at(r->ts, a), y = term_at(r->ts, b);
  if (x.op == TERM_STRING) return y.op == TERM_STRING ? BV_NONE : equal_texts(r, b, a);
  if (y.op != TERM_STRING || x.op != TERM_ARGV) return BV_NONE;
  const char *text = term_text(r->ts, y.as.text);
  Bv all = is_there(r, a);
  for (size_t i = 0; i <= strlen(text); ++i) {
    Bv c = text_atom(r, a, ATOM_CHAR, 8, (uint32_t)i, false);
    Bv is = bv_op(r->s->t, BV_EQ, c, bv_const(r->s->t, 8, (unsigned char)text[i]));
    all = bv_op(r->s->t, BV_AND, all, is);
  }
  return all;
}

static Bv compare_reals(const Reader *r, unsigned relation, Bv a, Bv b) {
  return space_atom(r->s, (Atom){.kind = ATOM_COMPARE, .width = 1, .index = relation, .a = a, .b = b});
}

static Bv compare_two(const Reader *r, TermOp op, Term a, Term b) {
  TermType type = (TermType)term_at(r->ts, a).type;
  Bvs *t = r->s->t;
  if (type == TERM_IS_STRING) {
    Bv is = op == TERM_EQ || op == TERM_DISTINCT ? equal_texts(r, a, b) : BV_NONE;
    if (is == BV_NONE || op == TERM_EQ) return is;
    return bv_op(t, BV_AND, bv_not(t, is), bv_op(t, BV_AND, is_there(r, a), is_there(r, b)));
  }
  Bv x = value(r, a), y = value(r, b), is;
  if (x == BV_NONE || y == BV_NONE) return BV_NONE;
  if (type == TERM_IS_DOUBLE) {
    static const uint8_t relations[] = {
        [TERM_EQ] = 1, [TERM_DISTINCT] = 6, [TERM_LT] = 4, [TERM_LE] = 5, [TERM_GT] = 2, [TERM_GE] = 3};
    is = op <= TERM_GE ? compare_reals(r, relations[op], x, y) : BV_NONE;
  } else {
    bool turned = op == TERM_GT || op == TERM_GE;
    BvOp as = op == TERM_EQ || op == TERM_DISTINCT ? BV_EQ
              : op == TERM_LT || op == TERM_GT     ? BV_SLT
              : op == TERM_LE || op == TERM_GE     ? BV_SLE
              : op == TERM_BVULT                   ? BV_ULT
                                                   : BV_ULE;
    is = bv_op(t, as, turned ? y : x, turned ? x : y);
    if (op == TERM_DISTINCT) is = bv_not(t, is);
  }
  if (is == BV_NONE) return is;
  return bv_op(t, BV_AND, is, bv_op(t, BV_AND, is_there(r, a), is_there(r, b)));
}

// Neighbours compare; of distinct ones all pairs.
static Bv comparison(const Reader *r, TermOp op, Term t, uint32_t count) {
  Bv all = bv_const(r->s->t, 1, 1);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = i + 1; k < count && (k == i + 1 || op == TERM_DISTINCT); ++k) {
      Bv one = compare_two(r, op, term_operand(r->ts, t, i), term_operand(r->ts, t, k));
      if (one == BV_NONE) return one;
      all = bv_op(r->s->t, BV_AND, all, one);
    }
  return all;
}

static Bv cut(const Reader *r, Bv x, unsigned width, bool is_signed) {
  return x == BV_NONE ? x : bv_resize(r->s->t, bv_resize(r->s->t, x, width, false), 64, is_signed);
}

static Bv real_operation(const Reader *r, AtomKind kind, Bv a, Bv b) {
  return space_atom(r->s, (Atom){.kind = (uint8_t)kind, .width = 64, .a = a, .b = b});
}

static Bv folded(const Reader *r, TermNode n, Term t) {
  static const struct {
    TermOp from;
    BvOp to;
    int real;  // AtomKind; -1: there is none
  } table[] = {{TERM_ADD, BV_ADD, ATOM_ADD}, {TERM_SUB, BV_SUB, ATOM_SUB}, {TERM_MUL, BV_MUL, ATOM_MUL},
               {TERM_DIV, BV_SDIV, -1},      {TERM_MOD, BV_SREM, -1},      {TERM_QUOT, BV_UDIV, ATOM_DIV},
               {TERM_BVAND, BV_AND, -1},     {TERM_BVOR, BV_OR, -1},       {TERM_BVXOR, BV_XOR, -1},
               {TERM_BVSHL, BV_SHL, -1},     {TERM_BVLSHR, BV_LSHR, -1},   {TERM_BVASHR, BV_ASHR, -1},
               {TERM_BVUDIV, BV_UDIV, -1},   {TERM_BVUREM, BV_UREM, -1}};
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    if (table[k].from != (TermOp)n.op) continue;
    Bv x = value(r, term_operand(r->ts, t, 0));
    bool real = n.type == TERM_IS_DOUBLE;
    if (n.count == 1) return x == BV_NONE || real ? BV_NONE : bv_op(r->s->t, BV_SUB, constant(r, 0), x);
    for (uint32_t i = 1; i < n.count && x != BV_NONE; ++i) {
      Bv y = value(r, term_operand(r->ts, t, i));
      x = y == BV_NONE ? y
          : real       ? real_operation(r, (AtomKind)table[k].real, x, y)
                       : bv_op(r->s->t, table[k].to, x, y);
    }
    return x;
  }
  return BV_NONE;
}

static bool is_base_ten(const Reader *r, TermNode n, Term t) {
  if (n.count < 2) return true;
  TermNode base = term_at(r->ts, term_operand(r->ts, t, 1));
  return base.op == TERM_INT && base.as.i == 10;
}

static Bv called(const Reader *r, TermNode n, Term t) {
  Term text = n.count ? term_operand(r->ts, t, 0) : TERM_NONE;
  switch ((TermOp)n.op) {
    case TERM_CHAR: {
      TermNode at = term_at(r->ts, term_operand(r->ts, t, 1));
      if (at.op != TERM_INT || at.as.i < 0) return BV_NONE;
      Bv c = text_atom(r, text, ATOM_CHAR, 8, (uint32_t)at.as.i, false);
      return c == BV_NONE ? c : bv_resize(r->s->t, c, 64, true);
    }
    case TERM_ATOI:
      return cut(r, text_atom(r, text, ATOM_NUMBER, 64, 0, false), 32, true);
    case TERM_ATOL:
    case TERM_ATOLL:
      return text_atom(r, text, ATOM_NUMBER, 64, 0, true);
    case TERM_STRTOL:
    case TERM_STRTOLL:
      return is_base_ten(r, n, t) ? text_atom(r, text, ATOM_NUMBER, 64, 0, true) : BV_NONE;
    case TERM_STRTOUL:
    case TERM_STRTOULL:
      return is_base_ten(r, n, t) ? text_atom(r, text, ATOM_UNSIGNED, 64, 0, true) : BV_NONE;
    case TERM_ATOF:
    case TERM_STRTOD:
      return text_atom(r, text, ATOM_REAL, 64, 0, true);
    default:
      return BV_NONE;
  }
}

static Bv connective(const Reader *r, TermNode n, Term t) {
  Bv all = bv_const(r->s->t, 1, n.op == TERM_AND);
  for (uint32_t i = 0; i < n.count; ++i) {
    Bv one = value(r, term_operand(r->ts, t, i));
    if (one == BV_NONE) return one;
    all = bv_op(r->s->t, n.op == TERM_AND ? BV_AND : BV_OR, all, one);
  }
  return all;
}

static Bv choice(const Reader *r, Term t) {
  Bv c = value(r, term_operand(r->ts, t, 0)), a = value(r, term_operand(r->ts, t, 1)),
     b = value(r, term_operand(r->ts, t, 2));
  return c == BV_NONE || a == BV_NONE || b == BV_NONE ? BV_NONE : bv_ite(r->s->t, c, a, b);
}

static Bv value(const Reader *r, Term t) {
  TermNode n = term_at(r->ts, t);
  Bv x;
  if (n.op >= TERM_EQ && n.op <= TERM_BVULE) return comparison(r, (TermOp)n.op, t, n.count);
  switch ((TermOp)n.op) {
    case TERM_TRUE:
    case TERM_FALSE:
      return bv_const(r->s->t, 1, n.op == TERM_TRUE);
    case TERM_INT:
      return constant(r, n.as.i);
    case TERM_REAL: {
      uint64_t bits;
      memcpy(&bits, &n.as.d, sizeof bits);
      return bv_const(r->s->t, 64, bits);
    }
    case TERM_ARGC:
      return bv_resize(r->s->t, argc_of(r), 64, true);
    case TERM_NOT:
      x = value(r, term_operand(r->ts, t, 0));
      return x == BV_NONE ? x : bv_not(r->s->t, x);
    case TERM_AND:
    case TERM_OR:
      return connective(r, n, t);
    case TERM_ITE:
      return choice(r, t);
    case TERM_DEFINED:
      return is_there(r, term_operand(r->ts, t, 0));
    case TERM_INT8:
    case TERM_UINT8:
      return cut(r, value(r, term_operand(r->ts, t, 0)), 8, n.op == TERM_INT8);
    case TERM_INT16:
    case TERM_UINT16:
      return cut(r, value(r, term_operand(r->ts, t, 0)), 16, n.op == TERM_INT16);
    case TERM_INT32:
    case TERM_UINT32:
      return cut(r, value(r, term_operand(r->ts, t, 0)), 32, n.op == TERM_INT32);
    case TERM_DOUBLE:
      x = value(r, term_operand(r->ts, t, 0));
      return x == BV_NONE ? x : real_operation(r, ATOM_OF_INT, x, BV_NONE);
    case TERM_INT64:
      x = value(r, term_operand(r->ts, t, 0));
      return x == BV_NONE ? x : real_operation(r, ATOM_TO_INT, x, BV_NONE);
    default:
      x = folded(r, n, t);
      return x == BV_NONE ? called(r, n, t) : x;
  }
}

Bv space_truth(Sliced *s, const Terms *terms, Term t) {
  Reader r = {s, terms};
  return term_at(terms, t).type == TERM_IS_BOOL ? value(&r, t) : BV_NONE;
}

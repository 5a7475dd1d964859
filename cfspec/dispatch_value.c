// Hash-consing: a value's number is the number of its bytes in an intern table. Connectives of many operands
// become balanced trees, so that deciding one operand makes few new values, and nothing recurses deep.
#include "dispatch_value.h"
#include <assert.h>
#include <stdlib.h>

struct Values {
  const Terms *terms;
  Intern *keys;
  Vec(ValueNode) nodes;
  Vec(Value) operands;
  Vec(Value) of;          // by Term
  Vec(Value) under;       // memo of value_under,
  Vec(uint32_t) current;  // valid where this is `round`
  uint32_t round;
};

typedef struct {
  uint64_t op, type, access, payload;
} Head;

uint32_t values_count(const Values *vs) {
  return (uint32_t)vs->nodes.len;
}
ValueNode value_at(const Values *vs, Value v) {
  assert(v < vs->nodes.len);
  return vs->nodes.at[v];
}
Value value_operand(const Values *vs, Value v, uint32_t i) {
  assert(i < vs->nodes.at[v].count);
  return vs->operands.at[vs->nodes.at[v].first + i];
}
const Terms *values_terms(const Values *vs) {
  return vs->terms;
}

static bool is_test(int op) {
  return (op >= TERM_EQ && op <= TERM_BVULE) || op == TERM_DEFINED;
}
static bool is_literal_op(int op) {
  return op == TERM_INT || op == TERM_STRING;
}
bool value_is_literal(const Values *vs, Value v) {
  return is_literal_op(vs->nodes.at[v].op);
}

int value_compare_literals(const Values *vs, Value a, Value b) {
  ValueNode m = value_at(vs, a), n = value_at(vs, b);
  assert(is_literal_op(m.op) && m.op == n.op);
  if (m.op == TERM_STRING) {
    int there = strcmp(term_text(vs->terms, m.term), term_text(vs->terms, n.term));
    return (there > 0) - (there < 0);
  }
  int64_t i = term_at(vs->terms, m.term).as.i, j = term_at(vs->terms, n.term).as.i;
  return (i > j) - (i < j);
}

static void describe(const Values *vs, Value v, ValueNode *n, const Value *operands) {
  n->subject = v;
  for (uint32_t i = 0; i < n->count && n->type == TERM_IS_BOOL; ++i)
    if (!is_test(n->op)) n->mentions |= value_at(vs, operands[i]).mentions;
  if (!is_test(n->op)) return;
  if (n->op == TERM_DEFINED) n->subject = operands[0];
  if (n->count == 2 && n->op != TERM_DISTINCT)
    for (int i = 0; i < 2; ++i)
      if (value_is_literal(vs, operands[i]) && !value_is_literal(vs, operands[!i])) n->subject = operands[!i];
  n->mentions = 1ull << n->subject % 64;
}

static Value intern(Values *vs, Head h, Term term, const Value *operands, uint32_t count) {
  Bytes key = {0};
  vec_append(&key, (const unsigned char *)&h, sizeof h);
  vec_append(&key, (const unsigned char *)operands, count * sizeof *operands);
  Value v = intern_id(vs->keys, (const char *)key.at, key.len);
  vec_free(&key);
  if (v < vs->nodes.len) return v;
  ValueNode n = {.op = (uint8_t)h.op,
                 .type = (uint8_t)h.type,
                 .access = (uint8_t)h.access,
                 .first = (uint32_t)vs->operands.len,
                 .count = count,
                 .term = term};
  vec_append(&vs->operands, operands, count);
  describe(vs, v, &n, operands);
  vec_push(&vs->nodes, n);
  return v;
}

Values *values_new(const Terms *ts) {
  Values *vs = mem_alloc(sizeof *vs);
  vs->terms = ts;
  vs->keys = intern_new();
  intern(vs, (Head){TERM_FALSE, TERM_IS_BOOL, 0, 0}, TERM_NONE, NULL, 0);
  intern(vs, (Head){TERM_TRUE, TERM_IS_BOOL, 0, 0}, TERM_NONE, NULL, 0);
  return vs;
}

void values_free(Values *vs) {
  if (!vs) return;
  intern_free(vs->keys);
  vec_free(&vs->nodes);
  vec_free(&vs->operands);
  vec_free(&vs->of);
  vec_free(&vs->under);
  vec_free(&vs->current);
  mem_free(vs);
}

static Value make(Values *vs, TermOp op, TermType type, const Value *operands, uint32_t count) {
  return intern(vs, (Head){op, type, 0, 0}, TERM_NONE, operands, count);
}
static Value make_bool(Values *vs, TermOp op, Value a, Value b) {
  return make(vs, op, TERM_IS_BOOL, (Value[]){a, b}, 2);
}

static Value of_bool(bool b) {
  return b ? VALUE_TRUE : VALUE_FALSE;
}
static Value negate(Values *vs, Value a) {
  if (a <= VALUE_TRUE) return of_bool(a == VALUE_FALSE);
  if (value_at(vs, a).op == TERM_NOT) return value_operand(vs, a, 0);
  return make(vs, TERM_NOT, TERM_IS_BOOL, &a, 1);
}

// Operands have no effects, and Bools always a value: so it does not matter on which side a constant stands.
static Value both(Values *vs, TermOp op, Value a, Value b) {
  Value ends = of_bool(op == TERM_OR);
  if (a == ends || b == ends) return ends;
  if (a <= VALUE_TRUE) return b;
  return b <= VALUE_TRUE || a == b ? a : make_bool(vs, op, a, b);
}

static Value choose(Values *vs, Value c, Value a, Value b) {
  if (c <= VALUE_TRUE) return c == VALUE_TRUE ? a : b;
  if (a == b) return a;
  TermType type = value_at(vs, a).type;
  if (type == TERM_IS_BOOL && a == VALUE_TRUE && b == VALUE_FALSE) return c;
  if (type == TERM_IS_BOOL && a == VALUE_FALSE && b == VALUE_TRUE) return negate(vs, c);
  return make(vs, TERM_ITE, type, (Value[]){c, a, b}, 3);
}

static Value many(Values *vs, TermOp op, const Value *at, size_t n) {
  if (n == 1) return *at;
  Value left = many(vs, op, at, n / 2);
  return both(vs, op, left, many(vs, op, at + n / 2, n - n / 2));
}

// a > b is b < a. For equality a literal stands on the right, otherwise the older one on the left.
static Value pair(Values *vs, TermOp op, Value a, Value b) {
  bool swap = op == TERM_GT || op == TERM_GE;
  if (op == TERM_EQ) {
    bool one = value_is_literal(vs, a), other = value_is_literal(vs, b);
    swap = one == other ? a > b : one;
  }
  if (op == TERM_GT) op = TERM_LT;
  if (op == TERM_GE) op = TERM_LE;
  if (value_at(vs, a).type == TERM_IS_BOOL) return choose(vs, a, b, negate(vs, b));
  return swap ? make_bool(vs, op, b, a) : make_bool(vs, op, a, b);
}

static Value comparison(Values *vs, TermOp op, const Value *at, uint32_t n) {
  if (op == TERM_DISTINCT && value_at(vs, at[0]).type == TERM_IS_BOOL)
    return n > 2 ? VALUE_FALSE : negate(vs, pair(vs, TERM_EQ, at[0], at[1]));
  if (op == TERM_DISTINCT) return make(vs, op, TERM_IS_BOOL, at, n);
  Value *pairs = mem_array(n, sizeof *pairs);
  for (uint32_t i = 1; i < n; ++i) pairs[i - 1] = pair(vs, op, at[i - 1], at[i]);
  Value v = many(vs, TERM_AND, pairs, n - 1);
  mem_free(pairs);
  return v;
}

static Value leaf(Values *vs, Term t) {
  TermNode n = term_at(vs->terms, t);
  Head h = {n.op, n.type, n.access, 0};
  const char *text = "";
  switch (n.op) {
    case TERM_TRUE:
    case TERM_FALSE:
      return of_bool(n.op == TERM_TRUE);
    case TERM_INT:
    case TERM_ARGV:
      memcpy(&h.payload, &n.as.i, sizeof h.payload);
      break;
    case TERM_REAL:
      memcpy(&h.payload, &n.as.d, sizeof h.payload);
      break;
    case TERM_ARGC:
      break;
    default:
      text = term_text(vs->terms, t);
  }
  // A text's bytes are part of the key: as operands that are none.
  Bytes key = {0};
  vec_append(&key, (const unsigned char *)&h, sizeof h);
  bytes_text(&key, text);
  Value v = intern_id(vs->keys, (const char *)key.at, key.len);
  vec_free(&key);
  if (v < vs->nodes.len) return v;
  ValueNode node = {.op = n.op, .type = n.type, .access = n.access, .term = t, .subject = v};
  vec_push(&vs->nodes, node);
  return v;
}

static Value applied(Values *vs, Term t, const Value *at) {
  TermNode n = term_at(vs->terms, t);
  if (n.op >= TERM_EQ && n.op <= TERM_BVULE) return comparison(vs, n.op, at, n.count);
  switch (n.op) {
    case TERM_NOT:
      return negate(vs, at[0]);
    case TERM_AND:
    case TERM_OR:
      return many(vs, n.op, at, n.count);
    case TERM_ITE:
      return choose(vs, at[0], at[1], at[2]);
    case TERM_DEFINED:
      if (value_at(vs, at[0]).type == TERM_IS_BOOL) return VALUE_TRUE;
      return make(vs, TERM_DEFINED, TERM_IS_BOOL, at, 1);
    default:
      return intern(vs, (Head){n.op, n.type, n.access, 0}, t, at, n.count);
  }
}

static Value of_term(Values *vs, Term t) {
  TermNode n = term_at(vs->terms, t);
  if (!n.count) return leaf(vs, t);
  Value *at = mem_array(n.count, sizeof *at);
  for (uint32_t i = 0; i < n.count; ++i) at[i] = vs->of.at[term_operand(vs->terms, t, i)];
  Value v = applied(vs, t, at);
  mem_free(at);
  return v;
}

static int by_number(const void *a, const void *b) {
  Term s = *(const Term *)a, t = *(const Term *)b;
  return (s > t) - (s < t);
}

// Operands come before those who use them: collected, sorted, made; no recursion.
Value values_of_term(Values *vs, Term t) {
  Vec(Term) open = {0}, missing = {0};
  while (vs->of.len <= t) vec_push(&vs->of, VALUE_NONE);
  vec_push(&open, t);
  while (open.len) {
    Term i = vec_pop(&open);
    if (vs->of.at[i] != VALUE_NONE) continue;
    vs->of.at[i] = VALUE_FALSE;  // seen
    vec_push(&missing, i);
    for (uint32_t k = 0; k < term_at(vs->terms, i).count; ++k) vec_push(&open, term_operand(vs->terms, i, k));
  }
  if (missing.len) qsort(missing.at, missing.len, sizeof *missing.at, by_number);
  for (vec_each(i, &missing)) vs->of.at[missing.at[i]] = of_term(vs, missing.at[i]);
  vec_free(&open);
  vec_free(&missing);
  return vs->of.at[t];
}

Value value_equals(const Values *vs, Value test) {
  ValueNode n = value_at(vs, test);
  return n.op == TERM_EQ && n.subject == value_operand(vs, test, 0) ? value_operand(vs, test, 1) : VALUE_NONE;
}

Value value_first_test(const Values *vs, Value v) {
  assert(value_at(vs, v).type == TERM_IS_BOOL && v > VALUE_TRUE);
  while (!is_test(value_at(vs, v).op)) v = value_operand(vs, v, 0);
  return v;
}

// A test of the fact's subject, which is this literal.
static Value with_literal(const Values *vs, Value test, Value literal) {
  ValueNode n = value_at(vs, test);
  if (n.op == TERM_DEFINED) return VALUE_TRUE;
  Value a = value_operand(vs, test, 0), b = value_operand(vs, test, 1);
  if (a == n.subject) a = literal;
  if (b == n.subject) b = literal;
  int there = value_compare_literals(vs, a, b);
  uint64_t x = 0, y = 0;
  if (value_at(vs, a).op == TERM_INT) {
    x = (uint64_t)term_at(vs->terms, value_at(vs, a).term).as.i;
    y = (uint64_t)term_at(vs->terms, value_at(vs, b).term).as.i;
  }
  switch (n.op) {
    case TERM_EQ:
      return of_bool(there == 0);
    case TERM_LT:
      return of_bool(there < 0);
    case TERM_LE:
      return of_bool(there <= 0);
    case TERM_BVULT:
      return of_bool(x < y);
    default:
      assert(n.op == TERM_BVULE);
      return of_bool(x <= y);
  }
}

static Value test_under(const Values *vs, Value test, const Fact *f) {
  if (f->test != VALUE_NONE) return test == f->test ? of_bool(f->holds) : test;
  if (value_at(vs, test).subject != f->subject) return test;
  if (f->literal != VALUE_NONE) return with_literal(vs, test, f->literal);
  return value_equals(vs, test) == VALUE_NONE ? test : VALUE_FALSE;
}

static Value under(Values *vs, Value v, const Fact *f, uint64_t bit, uint64_t *work) {
  ValueNode n = value_at(vs, v);
  ++*work;
  if (!(n.mentions & bit)) return v;
  if (is_test(n.op)) return test_under(vs, v, f);
  if (vs->current.at[v] == vs->round) return vs->under.at[v];
  Value a = under(vs, value_operand(vs, v, 0), f, bit, work), out;
  if (n.op == TERM_NOT) {
    out = negate(vs, a);
  } else {
    Value b = under(vs, value_operand(vs, v, 1), f, bit, work);
    out = n.op == TERM_ITE ? choose(vs, a, b, under(vs, value_operand(vs, v, 2), f, bit, work))
                           : both(vs, n.op, a, b);
  }
  vs->under.at[v] = out;
  vs->current.at[v] = vs->round;
  return out;
}

Value value_under(Values *vs, Value v, const Fact *f, uint64_t *work) {
  assert((f->test == VALUE_NONE) != (f->subject == VALUE_NONE) && value_at(vs, v).type == TERM_IS_BOOL);
  ++vs->round;
  vec_reserve(&vs->under, vs->nodes.len);
  while (vs->current.len < vs->nodes.len) vec_push(&vs->current, 0);
  uint64_t bit = 1ull << (f->test == VALUE_NONE ? f->subject : value_at(vs, f->test).subject) % 64;
  return under(vs, v, f, bit, work);
}

// Only what dispatch_value.h says that a Bool is made of.
static void check_bool(const Values *vs, ValueNode n) {
  bool test = is_test(n.op), two = n.op == TERM_AND || n.op == TERM_OR;
  assert(test || two || n.op == TERM_NOT || n.op == TERM_ITE);
  assert(n.op != TERM_GT && n.op != TERM_GE);
  if (n.op == TERM_NOT || n.op == TERM_DEFINED) assert(n.count == 1);
  if (n.op == TERM_ITE) assert(n.count == 3);
  if (two || (test && n.op != TERM_DISTINCT && n.op != TERM_DEFINED)) assert(n.count == 2);
  for (uint32_t i = 0; i < n.count; ++i)
    assert((value_at(vs, vs->operands.at[n.first + i]).type == TERM_IS_BOOL) == !test);
}

static void check_value(const Values *vs, Value v) {
  ValueNode n = value_at(vs, v), again = n;
  assert(n.op < TERM_OPS && n.type <= TERM_IS_STRING);
  assert(n.first <= vs->operands.len && n.count <= vs->operands.len - n.first);
  for (uint32_t i = 0; i < n.count; ++i) assert(vs->operands.at[n.first + i] < v);
  if (v <= VALUE_TRUE) assert(n.op == (v == VALUE_TRUE ? TERM_TRUE : TERM_FALSE) && !n.count);
  if (v > VALUE_TRUE && n.type == TERM_IS_BOOL) check_bool(vs, n);
  again.mentions = 0;
  describe(vs, v, &again, n.count ? &vs->operands.at[n.first] : NULL);
  assert(again.subject == n.subject && again.mentions == n.mentions);
}

void values_check(const Values *vs) {
  assert(intern_count(vs->keys) == vs->nodes.len && vs->nodes.len > VALUE_TRUE);
  for (Value v = 0; v < vs->nodes.len; ++v) check_value(vs, v);
  for (vec_each(i, &vs->of)) assert(vs->of.at[i] < vs->nodes.len || vs->of.at[i] == VALUE_NONE);
  for (vec_each(i, &vs->current)) assert(vs->current.at[i] <= vs->round);
}

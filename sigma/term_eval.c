// Total: a term without a value makes every comparison on it false, and whoever uses it has none either.
// Nothing is changed, errno included. Arithmetic wraps around; div and mod are C's.
#include "term.h"
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

static const TermValue nothing = {0};

static TermValue of_bool(bool b) {
  return (TermValue){TERM_IS_BOOL, true, {.b = b}};
}
static TermValue of_int(int64_t i) {
  return (TermValue){TERM_IS_INT64, true, {.i = i}};
}
static TermValue of_bits(uint64_t u) {
  int64_t i;
  memcpy(&i, &u, sizeof i);
  return of_int(i);
}
static TermValue of_real(double d) {
  return (TermValue){TERM_IS_DOUBLE, true, {.d = d}};
}
static TermValue of_text(const char *s) {
  return s ? (TermValue){TERM_IS_STRING, true, {.s = s}} : nothing;
}

static TermValue leaf(const Terms *ts, Term t, const TermInputs *in) {
  TermNode n = term_at(ts, t);
  TermValue v = {.type = n.type};
  const char *name;
  int number;
  switch (n.op) {
    case TERM_TRUE:
    case TERM_FALSE:
      return of_bool(n.op == TERM_TRUE);
    case TERM_INT:
      return of_int(n.as.i);
    case TERM_REAL:
      return of_real(n.as.d);
    case TERM_STRING:
      return of_text(term_text(ts, t));
    case TERM_ARGC:
      return of_int(in->argc);
    case TERM_ARGV:
      return n.as.i < in->argc ? of_text(in->argv[n.as.i]) : nothing;
    case TERM_ENV:
      name = term_text(ts, t);
      return of_text(in->env ? in->env(in->at, name) : getenv(name));
    case TERM_SYSCONF:
      if (!term_sysconf_number(term_text(ts, t), &number)) return nothing;
      return of_int(in->sysconf ? in->sysconf(in->at, number) : sysconf(number));
    case TERM_VAR:
      v.defined = in->var && in->var(in->at, term_text(ts, t), n.access, &v);
      return v;
    default:
      assert(n.op == TERM_ADDR);
      v.defined = in->addr && in->addr(in->at, term_text(ts, t), &v.as.i);
      return v;
  }
}

static int compare_reals(double a, double b) {
  if (isunordered(a, b)) return isnan(a) ? 2 : -2;
  return (a > b) - (a < b);
}

// -1, 0, 1; where there is a NaN 2 or -2, so that those can be sorted too.
static int compare(TermValue a, TermValue b) {
  assert(a.type == b.type);
  switch (a.type) {
    case TERM_IS_BOOL:
      return (a.as.b > b.as.b) - (a.as.b < b.as.b);
    case TERM_IS_INT64:
      return (a.as.i > b.as.i) - (a.as.i < b.as.i);
    case TERM_IS_DOUBLE:
      return compare_reals(a.as.d, b.as.d);
    default:
      return strcmp(a.as.s, b.as.s);
  }
}

static bool compares(TermOp op, TermValue a, TermValue b) {
  int c = op == TERM_BVULT || op == TERM_BVULE ? 0 : compare(a, b);
  switch (op) {
    case TERM_EQ:
      return c == 0;
    case TERM_LT:
      return c == -1;
    case TERM_LE:
      return c == -1 || c == 0;
    case TERM_GT:
      return c == 1;
    case TERM_GE:
      return c == 0 || c == 1;
    case TERM_BVULT:
      return (uint64_t)a.as.i < (uint64_t)b.as.i;
    default:
      assert(op == TERM_BVULE);
      return (uint64_t)a.as.i <= (uint64_t)b.as.i;
  }
}

static int by_value(const void *a, const void *b) {
  int there = compare(*(const TermValue *)a, *(const TermValue *)b);
  return there == 2 && compare(*(const TermValue *)b, *(const TermValue *)a) == 2 ? 0 : there;
}

static bool all_distinct(TermValue *values, size_t n) {
  qsort(values, n, sizeof *values, by_value);
  for (size_t i = 1; i < n; ++i)
    if (compare(values[i - 1], values[i]) == 0) return false;
  return true;
}

// Neighbours must compare; for distinct, all pairs.
static TermValue comparison(const Terms *ts, Term t, const TermInputs *in) {
  TermNode n = term_at(ts, t);
  Vec(TermValue) values = {0};
  bool all = true;
  for (uint32_t i = 0; i < n.count && all; ++i) {
    TermValue v = term_value(ts, term_operand(ts, t, i), in);
    all = v.defined && (n.op == TERM_DISTINCT || !i || compares(n.op, vec_last(&values), v));
    vec_push(&values, v);
  }
  if (n.op == TERM_DISTINCT) all = all && all_distinct(values.at, values.len);
  vec_free(&values);
  return of_bool(all);
}

static TermValue connective(const Terms *ts, Term t, const TermInputs *in) {
  TermNode n = term_at(ts, t);
  bool stop = n.op == TERM_OR;
  for (uint32_t i = 0; i < n.count; ++i)
    if (term_holds(ts, term_operand(ts, t, i), in) == stop) return of_bool(stop);
  return of_bool(!stop);
}

static TermValue divide(TermOp op, int64_t a, int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  if (!b) return nothing;
  switch (op) {
    case TERM_DIV:
      return b == -1 ? of_bits(-x) : of_int(a / b);
    case TERM_MOD:
      return of_int(b == -1 ? 0 : a % b);
    case TERM_BVUDIV:
      return of_bits(x / y);
    default:
      assert(op == TERM_BVUREM);
      return of_bits(x % y);
  }
}

// A shift by 64 or more leaves zeros, or copies of the sign.
static TermValue shift(TermOp op, int64_t a, uint64_t by) {
  uint64_t x = (uint64_t)a;
  if (op == TERM_BVASHR) return of_bits(a < 0 ? ~(~x >> (by > 63 ? 63 : by)) : x >> (by > 63 ? 63 : by));
  if (by > 63) return of_int(0);
  return of_bits(op == TERM_BVSHL ? x << by : x >> by);
}

static TermValue integers(TermOp op, int64_t a, int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (op) {
    case TERM_ADD:
      return of_bits(x + y);
    case TERM_SUB:
      return of_bits(x - y);
    case TERM_MUL:
      return of_bits(x * y);
    case TERM_BVAND:
      return of_bits(x & y);
    case TERM_BVOR:
      return of_bits(x | y);
    case TERM_BVXOR:
      return of_bits(x ^ y);
    case TERM_BVSHL:
    case TERM_BVLSHR:
    case TERM_BVASHR:
      return shift(op, a, y);
    default:
      return divide(op, a, b);
  }
}

static TermValue reals(TermOp op, double a, double b) {
  switch (op) {
    case TERM_ADD:
      return of_real(a + b);
    case TERM_SUB:
      return of_real(a - b);
    case TERM_MUL:
      return of_real(a * b);
    default:
      assert(op == TERM_QUOT);
      return b == 0 ? nothing : of_real(a / b);
  }
}

static TermValue unary(TermOp op, TermValue a) {
  uint64_t x = (uint64_t)a.as.i;
  switch (op) {
    case TERM_SUB:
      return a.type == TERM_IS_DOUBLE ? of_real(-a.as.d) : of_bits(-x);
    case TERM_BVNOT:
      return of_bits(~x);
    case TERM_INT8:
      return of_int((int8_t)(uint8_t)x);
    case TERM_INT16:
      return of_int((int16_t)(uint16_t)x);
    case TERM_INT32:
      return of_int((int32_t)(uint32_t)x);
    case TERM_UINT8:
      return of_int((uint8_t)x);
    case TERM_UINT16:
      return of_int((uint16_t)x);
    case TERM_UINT32:
      return of_int((uint32_t)x);
    case TERM_DOUBLE:
      return of_real((double)a.as.i);
    default:
      assert(op == TERM_INT64);
      return a.as.d >= -0x1p63 && a.as.d < 0x1p63 ? of_int((int64_t)a.as.d) : nothing;
  }
}

static TermValue arithmetic(const Terms *ts, Term t, const TermInputs *in) {
  TermNode n = term_at(ts, t);
  TermValue v = term_value(ts, term_operand(ts, t, 0), in);
  if (n.count == 1) return v.defined ? unary(n.op, v) : nothing;
  for (uint32_t i = 1; i < n.count && v.defined; ++i) {
    TermValue b = term_value(ts, term_operand(ts, t, i), in);
    if (!b.defined) return nothing;
    v = v.type == TERM_IS_DOUBLE ? reals(n.op, v.as.d, b.as.d) : integers(n.op, v.as.i, b.as.i);
  }
  return v;
}

static TermValue character(const char *s, int64_t i) {
  if (i < 0 || strnlen(s, (size_t)i) < (size_t)i) return nothing;
  return of_int((signed char)s[i]);
}

static TermValue call(TermOp op, const char *s, const TermValue *more, uint32_t count) {
  int base = 10;
  int64_t n = count > 1 ? more[count - 1].as.i : 0;
  if (op >= TERM_STRTOL && op <= TERM_STRTOULL && count == 2) base = n < 0 || n > 36 ? 1 : (int)n;
  switch (op) {
    case TERM_CHAR:
      return character(s, n);
    case TERM_ATOI:
      return of_int(atoi(s));
    case TERM_ATOL:
      return of_int(atol(s));
    case TERM_ATOLL:
      return of_int(atoll(s));
    case TERM_STRTOL:
      return of_int(strtol(s, NULL, base));
    case TERM_STRTOLL:
      return of_int(strtoll(s, NULL, base));
    case TERM_STRTOUL:
      return of_bits(strtoul(s, NULL, base));
    case TERM_STRTOULL:
      return of_bits(strtoull(s, NULL, base));
    case TERM_ATOF:
      return of_real(atof(s));
    case TERM_STRTOD:
      return of_real(strtod(s, NULL));
    case TERM_STRLEN:
      return of_bits(strlen(s));
    case TERM_STRCMP:
      return of_int(strcmp(s, more[1].as.s));
    case TERM_STRNCMP:
      return of_int(strncmp(s, more[1].as.s, (size_t)n));
    case TERM_STRCASECMP:
      return of_int(strcasecmp(s, more[1].as.s));
    default:
      assert(op == TERM_STRNCASECMP);
      return of_int(strncasecmp(s, more[1].as.s, (size_t)n));
  }
}

static TermValue function(const Terms *ts, Term t, const TermInputs *in) {
  TermNode n = term_at(ts, t);
  TermValue v[3];
  assert(n.count && n.count <= 3);
  for (uint32_t i = 0; i < n.count; ++i)
    if (v[i] = term_value(ts, term_operand(ts, t, i), in), !v[i].defined) return nothing;
  return call(n.op, v[0].as.s, v, n.count);
}

static TermValue memory(const Terms *ts, Term t, const TermInputs *in) {
  TermNode n = term_at(ts, t);
  TermValue address = term_value(ts, term_operand(ts, t, 0), in), v = {.type = n.type};
  v.defined = address.defined && in->mem && in->mem(in->at, address.as.i, n.access, &v);
  return v;
}

static TermValue evaluate(const Terms *ts, Term t, const TermInputs *in) {
  TermNode n = term_at(ts, t);
  if (!n.count) return leaf(ts, t, in);
  if (n.op >= TERM_EQ && n.op <= TERM_BVULE) return comparison(ts, t, in);
  if (n.op >= TERM_ADD && n.op <= TERM_DOUBLE) return arithmetic(ts, t, in);
  if (n.op >= TERM_CHAR) return function(ts, t, in);
  switch (n.op) {
    case TERM_MEM:
      return memory(ts, t, in);
    case TERM_NOT:
      return of_bool(!term_holds(ts, term_operand(ts, t, 0), in));
    case TERM_AND:
    case TERM_OR:
      return connective(ts, t, in);
    case TERM_ITE:
      return term_value(ts, term_operand(ts, t, term_holds(ts, term_operand(ts, t, 0), in) ? 1 : 2), in);
    default:
      assert(n.op == TERM_DEFINED);
      return of_bool(term_value(ts, term_operand(ts, t, 0), in).defined);
  }
}

TermValue term_value(const Terms *ts, Term t, const TermInputs *in) {
  int kept = errno;
  TermValue v = evaluate(ts, t, in);
  errno = kept;
  v.type = term_at(ts, t).type;
  return v;
}

bool term_holds(const Terms *ts, Term t, const TermInputs *in) {
  TermValue v = term_value(ts, t, in);
  assert(v.type == TERM_IS_BOOL);
  return v.defined && v.as.b;
}

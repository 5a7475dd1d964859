#include "term.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "text.h"

// The fewest digits that read back as the same number, and something that says it is a Double.
static void put_real(Bytes *out, double d) {
  char s[40];
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(s, sizeof s, "%.*g", digits, d);
    if (strtod(s, NULL) == d) break;
  }
  bytes_text(out, s);
  if (!strpbrk(s, ".e")) bytes_text(out, ".0");
}

static void put_int(Bytes *out, int64_t i) {
  if (i < 0) vec_push(out, '-');
  text_put_number(out, i < 0 ? -(uint64_t)i : (uint64_t)i);
}

// Does the parser take it for a name?
static bool is_name(const char *s) {
  bool number = (*s >= '0' && *s <= '9') || (*s == '-' && s[1] >= '0' && s[1] <= '9');
  return !number && strcmp(s, "argc") && strcmp(s, "true") && strcmp(s, "false");
}

static void put_named(const Terms *ts, Term t, Bytes *out) {
  const char *name = term_text(ts, t);
  TermNode n = term_at(ts, t);
  vec_push(out, '(');
  bytes_text(out, term_op_word(n.op));
  vec_push(out, ' ');
  if ((n.op == TERM_VAR || n.op == TERM_ADDR) && is_name(name))
    text_put(out, name, strlen(name), true);
  else
    text_put_quoted(out, name, strlen(name));
  if (n.access != TERM_AS_DECLARED) {
    vec_push(out, ' ');
    bytes_text(out, term_access_word(n.access));
  }
  vec_push(out, ')');
}

static void put_operation(const Terms *ts, Term t, Bytes *out) {
  TermNode n = term_at(ts, t);
  assert(n.count);  // leaves have forms of their own
  vec_push(out, '(');
  bytes_text(out, term_op_word(n.op));
  if (n.op == TERM_MEM) {
    vec_push(out, ' ');
    bytes_text(out, term_access_word(n.access));
  }
  for (uint32_t i = 0; i < n.count; ++i) {
    vec_push(out, ' ');
    term_print(ts, term_operand(ts, t, i), out);
  }
  vec_push(out, ')');
}

void term_print(const Terms *ts, Term t, Bytes *out) {
  TermNode n = term_at(ts, t);
  switch (n.op) {
    case TERM_TRUE:
    case TERM_FALSE:
    case TERM_ARGC:
      bytes_text(out, term_op_word(n.op));
      break;
    case TERM_INT:
      put_int(out, n.as.i);
      break;
    case TERM_REAL:
      put_real(out, n.as.d);
      break;
    case TERM_STRING:
      text_put_quoted(out, term_text(ts, t), strlen(term_text(ts, t)));
      break;
    case TERM_ARGV:
      bytes_text(out, "(argv ");
      text_put_number(out, (uint64_t)n.as.i);
      vec_push(out, ')');
      break;
    case TERM_ENV:
    case TERM_SYSCONF:
    case TERM_VAR:
    case TERM_ADDR:
      put_named(ts, t, out);
      break;
    default:
      put_operation(ts, t, out);
  }
}

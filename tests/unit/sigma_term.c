// The constraint language: what parses, what it prints as, what it means, and where errors point.
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include "sigma/sigma.h"

static Terms *ts;
static const char *const args[] = {"prog", "2", "-q", "0.05", "-7", "", NULL};

static const char *environment(void *at, const char *name) {
  assert(at == args);
  return !strcmp(name, "HOME") ? "/root" : NULL;
}
static bool variable(void *at, const char *name, TermAccess access, TermValue *out) {
  assert(at == args);
  if (!strcmp(name, "f.c:n") && access == TERM_AS_DECLARED) return out->as.i = 5, true;
  if (!strcmp(name, "te xt") && access == TERM_AS_STRING) return out->as.s = "abc", true;
  if (!strcmp(name, "ratio") && access == TERM_AS_DOUBLE) return out->as.d = 0.5, true;
  return false;
}
static bool address(void *at, const char *name, int64_t *out) {
  assert(at == args);
  *out = 4096;
  return !strcmp(name, "table");
}
static bool memory(void *at, int64_t where, TermAccess access, TermValue *out) {
  assert(at == args);
  if (where != 4100 || access != TERM_AS_INT32) return false;
  out->as.i = -3;
  return true;
}
static const TermInputs inputs = {6,        args,    environment, NULL,
                                  variable, address, memory,      (void *)(uintptr_t)args};

static Term parse(const char *text, size_t len, Diags *diags) {
  return term_parse(ts, span_of(text, len), diags, (Place){"app.sigma", 7, 11});
}

static Term parsed(const char *text) {
  Diags *diags = diags_new();
  Term t = parse(text, strlen(text), diags);
  diags_print(diags, stderr, "test");
  assert(t != TERM_NONE && !diags_count(diags));
  diags_free(diags);
  return t;
}

static void prints(const char *text, const char *expected) {
  Term t = parsed(text);
  Bytes out = {0};
  term_print(ts, t, &out);
  vec_push(&out, 0);
  if (strcmp((char *)out.at, expected)) fprintf(stderr, "%s\n%s\n", (char *)out.at, expected);
  assert(!strcmp((char *)out.at, expected));
  assert(term_same(ts, t, ts, parsed((char *)out.at)));
  vec_free(&out);
}

static void test_print(void) {
  prints("true", "true");
  prints(" ( =   (atoi\t(argv 1)) 2 )  # two threads", "(= (atoi (argv 1)) 2)");
  prints("(= argc # how many\n 3)", "(= argc 3)");
  prints("(= (argv 1) \"a b\\x01\\\"\\\\\\n\\xff\\xc3\\xa4\\x41\")",
         "(= (argv 1) \"a b\\x01\\\"\\\\\\n\\xffäA\")");
  prints("(= 0x10 -9223372036854775808 0xffffffffffffffff)", "(= 16 -9223372036854775808 -1)");
  prints("(< 0.1 1e3 1.5E-07 -0.0 1e300)", "(< 0.1 1000.0 1.5e-07 -0.0 1e+300)");
  prints("(= (var f.c:n) (var \"f.c:n\" int8) (addr table) (mem uint16 (addr \"a (b)\")))",
         "(= (var f.c:n) (var f.c:n int8) (addr table) (mem uint16 (addr \"a (b)\")))");
  prints("(= (sysconf \"_SC_NPROCESSORS_ONLN\") (strtol (env \"N\")) (strtol (env \"N\") 16))",
         "(= (sysconf \"_SC_NPROCESSORS_ONLN\") (strtol (env \"N\")) (strtol (env \"N\") 16))");
  prints("(= (var \"7x\") (var \"argc\") (var \"-1\") (addr \"true\") (var -x))",
         "(= (var \"7x\") (var \"argc\") (var \"-1\") (addr \"true\") (var -x))");
  prints("(and(not(defined(env \"X\")))(or false(ite true false true)))",
         "(and (not (defined (env \"X\"))) (or false (ite true false true)))");
}

static void means(const char *text, bool expected) {
  errno = 77;
  bool got = term_holds(ts, parsed(text), &inputs);
  if (got != expected) fprintf(stderr, "%s\n", text);
  assert(got == expected && errno == 77);
}

static void test_partial(void) {
  means("(= (argv 6) \"x\")", false);
  means("(= (argv 6) (argv 6))", false);
  means("(distinct (argv 6) \"x\")", false);
  means("(not (= (argv 6) \"x\"))", true);
  means("(= (atoi (argv 9)) 0)", false);
  means("(= (+ 1 (* 2 (strlen (argv 9)))) 1)", false);
  means("(>= (div 1 0) 0)", false);
  means("(< (mod 1 0) 1)", false);
  means("(= (bvudiv 1 0) -1)", false);
  means("(= (bvurem 1 0) 1)", false);
  means("(= (/ 1.0 0.0) (/ 1.0 0.0))", false);
  means("(= (env \"NO\") \"\")", false);
  means("(defined (env \"NO\"))", false);
  means("(defined (env \"HOME\"))", true);
  means("(defined (argv 5))", true);
  means("(= (ite (= argc 6) 1 (div 1 0)) 1)", true);
  means("(= (ite (= argc 5) 1 (div 1 0)) 1)", false);
  means("(or (= argc 6) (= (div 1 0) 1))", true);
  means("(and (= argc 5) (= (div 1 0) 1))", false);
  means("(= 1 1 (div 1 0))", false);
  means("(distinct 1 2 (div 1 0))", false);
  means("(= (mem int32 (addr nothing)) -3)", false);
  means("(= (int64 (strtod \"nan\")) 0)", false);
  means("(defined (int64 9223372036854775808.0))", false);
}

static void test_arithmetic(void) {
  means("(= (+ 9223372036854775807 1) -9223372036854775808)", true);
  means("(= (- -9223372036854775808 1) 9223372036854775807)", true);
  means("(= (- -9223372036854775808) -9223372036854775808)", true);
  means("(= (* 4611686018427387904 2 2) 0)", true);
  means("(= (div -9223372036854775808 -1) -9223372036854775808)", true);
  means("(= (mod -9223372036854775808 -1) 0)", true);
  means("(and (= (div -7 2) -3) (= (mod -7 2) -1) (= (div 7 -2) -3) (= (mod 7 -2) 1))", true);
  means("(= (- 10 3 2) 5)", true);
  means("(= (int32 (+ 2147483647 1)) -2147483648)", true);
  means("(= (uint32 -1) 4294967295)", true);
  means("(and (= (int8 200) -56) (= (uint8 -1) 255) (= (int16 65535) -1) (= (uint16 -1) 65535))", true);
  means("(and (= (bvand 12 10) 8) (= (bvor 12 10) 14) (= (bvxor 12 10) 6) (= (bvnot 0) -1))", true);
  means("(and (= (bvshl 1 63) -9223372036854775808) (= (bvshl 1 64) 0) (= (bvlshr -1 63) 1))", true);
  means("(and (= (bvashr -8 1) -4) (= (bvashr -8 64) -1) (= (bvashr 8 99) 0) (= (bvlshr 8 64) 0))", true);
  means("(and (= (bvudiv -1 2) 9223372036854775807) (= (bvurem -1 10) 5))", true);
  means("(and (bvult 1 -1) (not (bvult -1 1)) (bvule 1 1 2))", true);
  means("(and (= (+ 0.5 0.25) 0.75) (= (- 0.5) -0.5) (= (/ 1.0 4.0) 0.25) (= (double 2) 2.0))", true);
  means("(= (int64 -2.9) -2)", true);
}

static void test_compare(void) {
  means("(and (< 1 2 3) (not (< 1 3 2)) (<= 1 1 2) (> 3 2 1) (not (>= 1 2)) (>= 2 2))", true);
  means("(= true (< 1 2))", true);
  means("(distinct 1 2 3 4 5)", true);
  means("(distinct 1 2 3 4 1)", false);
  means("(distinct \"a\" \"b\" \"a\")", false);
  means("(= (strtod \"nan\") (strtod \"nan\"))", false);
  means("(distinct (strtod \"nan\") 1.0 (strtod \"nan\"))", true);
  means("(or (< (strtod \"nan\") 1.0) (<= (strtod \"nan\") 1.0) (>= (strtod \"nan\") 1.0))", false);
  means("(= (argv 0) \"prog\")", true);
  means("(= (argv 5) \"\")", true);
}

static void test_functions(void) {
  means("(and (= (atoi (argv 1)) 2) (= (atol (argv 4)) -7) (= (atof (argv 3)) 0.05))", true);
  means("(and (= (strtol \"ff\" 16) 255) (= (strtol \"0x1f\" 0) 31) (= (strtol \"12\") 12))", true);
  means("(= (strtol \"99999999999999999999\") 9223372036854775807)", true);
  means("(= (strtoul \"99999999999999999999\") -1)", true);
  means("(and (= (strtol \"7\" 99) 0) (= (strtol \"7\" -4) 0))", true);
  means("(and (= (strlen (argv 2)) 2) (= (strcmp (argv 2) \"-q\") 0) (> (strcmp \"b\" \"a\") 0))", true);
  means("(and (= (strncmp \"abc\" \"abd\" 2) 0) (= (strcasecmp \"A\" \"a\") 0))", true);
  means("(= (strncasecmp \"ABc\" \"abd\" 2) 0)", true);
  means("(and (= (char (argv 2) 0) 45) (= (char (argv 2) 2) 0) (= (char \"\\xff\" 0) -1))", true);
  means("(or (defined (char (argv 2) 3)) (defined (char (argv 2) -1)))", false);
  means("(and (= (env \"HOME\") \"/root\") (= (var f.c:n) 5) (= (var \"te xt\" string) \"abc\"))", true);
  means("(and (= (var ratio double) 0.5) (= (mem int32 (+ (addr table) 4)) -3))", true);
  TermInputs own = {0};
  assert(term_holds(ts, parsed("(= (sysconf \"_SC_PAGESIZE\") 4096)"), &own) ==
         (sysconf(_SC_PAGESIZE) == 4096));
  assert(!term_holds(ts, parsed("(defined (var x))"), &own));
}

static const struct {
  const char *text;
  unsigned column;
  const char *says;
} errors[] = {
    {"", 1, "no term"},
    {"  # nothing", 12, "no term"},
    {"argc", 1, "a constraint must be Bool, not Int64"},
    {"(argv 1)", 1, "a constraint must be Bool, not String"},
    {"foo", 1, "unknown word foo; a variable is written (var foo)"},
    {"(= n 1)", 4, "unknown word n; a variable is written (var n)"},
    {"(foo 1)", 2, "foo is not an operation"},
    {"(argc)", 2, "argc is not an operation"},
    {"()", 2, ") is not an operation"},
    {"(", 1, "( without a matching )"},
    {"(= 1 2", 7, "the term ends without the ) of ="},
    {"(= 1 2))", 8, "unexpected ) after the end of the term"},
    {")", 1, ") without a matching ("},
    {"true false", 6, "unexpected false after the end of the term"},
    {"(= 1)", 2, "= takes at least 2 operands, not 1"},
    {"(not true true)", 2, "not takes 1 operand, not 2"},
    {"(< 1 (strlen))", 7, "strlen takes 1 operand, not 0"},
    {"(= 1 (strtol))", 7, "strtol takes at least 1 operand, not 0"},
    {"(= 1 (strtol \"1\" 2 3))", 7, "strtol takes at most 2 operands, not 3"},
    {"(= 1 \"1\")", 6, "= takes operands of one type, not String beside Int64"},
    {"(> (atof (argv 4)) 0)", 20, "> takes operands of one type, not Int64 beside Double"},
    {"(< \"a\" \"b\")", 4, "< takes numbers, not String"},
    {"(and true 1)", 11, "and takes Bool here, not Int64"},
    {"(= 1 (atoi 1))", 12, "atoi takes String here, not Int64"},
    {"(ite true 1 2)", 1, "a constraint must be Bool, not Int64"},
    {"(ite true true 2)", 16, "ite takes operands of one type, not Int64 beside Bool"},
    {"(= (argv -1) \"\")", 5, "argv takes one literal number, for example (argv 1)"},
    {"(= (argv argc) \"\")", 5, "argv takes one literal number, for example (argv 1)"},
    {"(= (env HOME) \"\")", 5, "env takes one literal string, for example (env \"HOME\")"},
    {"(= (sysconf \"X\") 1)", 13, "X is not a supported sysconf name"},
    {"(= (var) 1)", 5, "var takes a name and the type to read it as"},
    {"(= (var x int9) 1)", 11,
     "not a type to read a variable as; use int8 to uint64, float, double or string"},
    {"(= (addr x int8) 1)", 5, "addr takes a name"},
    {"(= (mem 1) 1)", 5, "mem takes a type and an address, for example (mem int32 (addr x))"},
    {"(= (mem int8 \"x\") 1)", 14, "an address is Int64, not String"},
    {"(= 1 01)", 6, "01 is not a number that fits"},
    {"(= 1 9223372036854775808)", 6, "9223372036854775808 is not a number that fits"},
    {"(= 1 0x11112222333344445)", 6, "0x11112222333344445 is not a number that fits"},
    {"(= 1.0 1e999)", 8, "1e999 is not a number that fits"},
    {"(= 1.0 1.)", 8, "1. is not a number that fits"},
    {"(= 1 1x)", 6, "1x is not a number that fits"},
    {"(= \"a\" \"b)", 8, "a quote without a closing quote"},
    {"(= \"a\" \"\\q\")", 9, "not an escape; use \\\" \\\\ \\n \\t \\r or \\x with two hex digits"},
    {"(= \"a\" \"\\x4\")", 9, "not an escape; use \\\" \\\\ \\n \\t \\r or \\x with two hex digits"},
    {"(= \"a\" \"\\x00\")", 8, "a NUL in a string"},
    {"(= \"a\"\"b\")", 7, "a space must follow the closing quote"},
    {"(= a\"b\" 1)", 5, "a quote inside a word"},
    {"(= \"\xff\" 1)", 5, "this byte is not allowed in text; write \\xff"},
    {"(= \"\xc0\x80\" 1)", 5, "this byte is not allowed in text; write \\xc0"},
    {"(= \"\x01\" 1)", 5, "this byte is not allowed in text; write \\x01"},
};

static void test_errors(void) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i) {
    Diags *diags = diags_new();
    assert(parse(errors[i].text, strlen(errors[i].text), diags) == TERM_NONE);
    const Diag *d = diags_at(diags, 0);
    if (d->column != errors[i].column + 10 || strcmp(d->text, errors[i].says))
      fprintf(stderr, "%s\n%u %s\n", errors[i].text, d->column - 10, d->text);
    assert(diags_count(diags) == 1 && d->kind == DIAG_ERROR && d->line == 7);
    assert(d->column == errors[i].column + 10 && !strcmp(d->text, errors[i].says));
    diags_free(diags);
  }
}

// Deep nesting ends in an error, not in a crash; as deep as allowed works; wide is no matter.
static void test_deep(void) {
  for (int depth = LIMIT_TERM_DEPTH - 2; depth < LIMIT_TERM_DEPTH + 2; ++depth) {
    Bytes text = {0};
    for (int i = 0; i < depth; ++i) bytes_text(&text, "(not ");
    bytes_text(&text, "true");
    for (int i = 0; i < depth; ++i) bytes_text(&text, ")");
    Diags *diags = diags_new();
    Term t = parse((char *)text.at, text.len, diags);
    assert((t != TERM_NONE) == (depth < LIMIT_TERM_DEPTH) && diags_count(diags) == (t == TERM_NONE));
    if (t != TERM_NONE) assert(term_holds(ts, t, &inputs) == (depth % 2 == 0));
    diags_free(diags);
    vec_free(&text);
  }
  Bytes wide = {0};
  bytes_text(&wide, "(distinct");
  for (int i = 0; i < 200000; ++i) {
    char number[16];
    snprintf(number, sizeof number, " %d", i * 7);
    bytes_text(&wide, number);
  }
  vec_push(&wide, ')');
  vec_push(&wide, 0);
  means((char *)wide.at, true);
  vec_free(&wide);
}

static void test_build(void) {
  Term one = term_int(ts, 1), text = term_string(ts, "x");
  TermError error = {0};
  assert(term_apply(ts, TERM_ADD, (Term[]){one, text}, 2, &error) == TERM_NONE && error.operand == 1);
  mem_free(error.text);
  assert(term_apply(ts, TERM_ADD, (Term[]){one, text}, 2, NULL) == TERM_NONE);
  assert(term_mem(ts, TERM_AS_DECLARED, one, NULL) == TERM_NONE);
  assert(term_sysconf(ts, "_SC_NOTHING") == TERM_NONE);
  Term sum = term_apply(ts, TERM_ADD, (Term[]){one, term_argc(ts)}, 2, NULL);
  assert(term_at(ts, sum).type == TERM_IS_INT64 && term_at(ts, sum).depth == 2);
  assert(term_same(ts, term_apply(ts, TERM_EQ, (Term[]){sum, term_int(ts, -7)}, 2, NULL), ts,
                   parsed("(= (+ 1 argc) -7)")));
  assert(!term_same(ts, parsed("(= 0.0 (atof \"\"))"), ts, parsed("(= -0.0 (atof \"\"))")));
  assert(!term_same(ts, parsed("(defined (var x))"), ts, parsed("(defined (var x int8))")));
}

int main(void) {
  ts = terms_new();
  test_print();
  test_partial();
  test_arithmetic();
  test_compare();
  test_functions();
  test_errors();
  test_deep();
  test_build();
  terms_free(ts);
  return 0;
}

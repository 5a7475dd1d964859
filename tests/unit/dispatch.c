// Constraints as code: what the tree asks and how often, variables of a program, and what cannot be found.
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include "jit.h"

static const char program[] =
    "#include <stdint.h>\n"
    "enum color { RED, BLUE = 7 };\n"
    "typedef const volatile unsigned short Port;\n"
    "struct pair { int a, b; };\n"
    "signed char c8 = -3; unsigned char u8 = 200; short s16 = -300; Port u16 = 65000;\n"
    "int i32 = -70000; unsigned u32 = 4000000000u; long l64 = -5; _Bool yes = 1;\n"
    "enum color color = BLUE; _Atomic int atomic = 9; char plain = -1;\n"
    "float f = 0.5f; double d = 2.25; __int128 wide = 1; struct pair pair = {1, 2};\n"
    "char text[8] = \"abc\"; char full[3] = {'x', 'y', 'z'}; const char *name = \"alice\"; char *none;\n"
    "int table[4] = {10, 20, 30, 40};\n"
    "static int hidden = 11;\n"
    "extern int other; extern char unknown[];\n"
    "void point(void *);\n"
    "void helper(void) { static int count = 33; point(&count); }\n"
    "int main(int argc, char **argv) {\n"
    "  static int mine = 44;\n"
    "  int n = argc; long shadow = 1; char buffer[16]; const char *file = argv[0];\n"
    "  for (int gone = 0; gone < 2; ++gone) point(&gone);\n"
    "  { unsigned char shadow = 2; int inner = 3; point(&shadow); point(&inner); }\n"
    "  point(&n); point(&shadow); point(buffer); point(&file); point(&hidden); point(&mine);\n"
    "  return other + unknown[0];\n"
    "}\n";
static Bytes bitcode, without;

typedef struct {
  Sigma *s;
  Diags *diags;
  Vec(uint32_t) all;
} Given;

static Given given(const char *const *constraints, size_t n) {
  Given g = {sigma_new("test", "00"), diags_new(), {0}};
  for (size_t i = 0; i < n; ++i) {
    Schedule *c = sigma_add_schedule(g.s);
    c->status = constraints[i] ? SIGMA_PROVED : SIGMA_FALSE;
    c->when_line = 100 + (uint32_t)i;
    if (constraints[i])
      c->when = term_parse(g.s->terms, span_of(constraints[i], strlen(constraints[i])), g.diags, (Place){0});
    assert(c->when != TERM_NONE);
    vec_push(&g.all, (uint32_t)i);
  }
  g.s->file = "t.sigma";
  return g;
}

static void given_free(Given *g) {
  diags_free(g->diags);
  vec_free(&g->all);
  g->s->file = NULL;
  sigma_free(g->s);
}

static LLVMValueRef local(LLVMModuleRef m, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(m, "main");
  for (all_insts(i, LLVMGetEntryBasicBlock(f)))
    if (LLVMIsAAllocaInst(i) && !strcmp(LLVMGetValueName(i), name)) return i;
  assert(!"main has this local");
  return NULL;
}

// The call of point with this argument.
static LLVMValueRef point_of(LLVMModuleRef m, LLVMValueRef of) {
  for (all_blocks(b, LLVMGetNamedFunction(m, "main")))
    for (all_insts(i, b))
      if (call_is(i) && LLVMGetNumArgOperands(i) == 1 && LLVMGetArgOperand(i, 0) == of) return i;
  assert(!"it is called with this");
  return NULL;
}

static int64_t shadow_is = 6;
static char unknown_is[] = "outside";
static unsigned char inner_shadow = 7;
static int other_is = 0x1234, locals_n = 12;
static char buffer_is[16] = "buffer";
static const char *file_is = "file";

typedef struct {
  LLVMValueRef at[5];
  DispatchPlace place;
} Inside;
static void *const local_values[] = {&locals_n, &shadow_is, &inner_shadow, buffer_is, &file_is};

static void inside(LLVMModuleRef m, const char *at, Inside *in) {
  static const char *const names[] = {"n", "shadow", "shadow1", "buffer", "file"};
  for (int i = 0; i < 5; ++i) in->at[i] = local(m, names[i]);
  in->place = (DispatchPlace){LLVMGetNamedFunction(m, "main"), point_of(m, local(m, at)), in->at, 5};
}

static void nobody(void *p) {
  (void)p;
}

static Dispatcher *run(Jit *j, LLVMValueRef f, unsigned level) {
  jit_bind(j, "other", &other_is);
  jit_bind(j, "unknown", unknown_is);
  jit_bind(j, "point", (void *)(uintptr_t)nobody);
  return jit_run(j, f, level);
}

static int64_t chosen(const char *const *constraints, size_t n, const char *at, int argc, const char **argv) {
  Given g = given(constraints, n);
  Jit j = jit_open(span_of(bitcode.at, bitcode.len));
  Inside in;
  if (at) inside(j.module, at, &in);
  LLVMValueRef f = dispatch_function(j.module, g.s, g.all.at, n, at ? &in.place : NULL, g.diags);
  diags_print(g.diags, stderr, "test");
  assert(f && !diags_count(g.diags));
  Dispatcher *d = run(&j, f, 0);
  errno = 77;
  int64_t id = d(argc, argv, at ? local_values : NULL);
  assert(errno == 77);
  jit_close(&j);
  given_free(&g);
  return id;
}

static bool holds(const char *constraint, const char *at) {
  static const char *argv[] = {"prog", "2", "-q", NULL};
  return !chosen(&constraint, 1, at, 3, argv);
}

static const char *const true_of_globals[] = {"(= (var c8) -3)",
                                              "(= (var u8) 200)",
                                              "(= (var s16) -300)",
                                              "(= (var u16) 65000)",
                                              "(= (var i32) -70000)",
                                              "(= (var u32) 4000000000)",
                                              "(= (var l64) -5)",
                                              "(= (var yes) 1)",
                                              "(= (var color) 7)",
                                              "(= (var atomic) 9)",
                                              "(= (var plain) -1)",
                                              "(= (var plain uint8) 255)",
                                              "(= (var u32 int32) -294967296)",
                                              "(= (var i32 uint16) 61072)",
                                              "(= (var f float) 0.5)",
                                              "(= (var d double) 2.25)",
                                              "(= (var wide int64) 1)",
                                              "(= (var pair int64) 8589934593)",
                                              "(= (var text string) \"abc\")",
                                              "(not (defined (var full string)))",
                                              "(= (var name string) \"alice\")",
                                              "(not (defined (var none string)))",
                                              "(= (var t.c:hidden) 11)",
                                              "(= (var t.c:count) 33)",
                                              "(= (var t.c:mine) 44)",
                                              "(= (var t.c:i32) -70000)",
                                              "(= (var other int32) 4660)",
                                              "(= (var other uint8) 52)",
                                              "(= (var unknown string) \"outside\")",
                                              "(= (var unknown int8) 111)",
                                              "(= (mem int32 (+ (addr table) 8)) 30)",
                                              "(= (mem string (addr text)) \"abc\")",
                                              "(= (mem string (var name int64)) \"alice\")",
                                              "(= (mem uint8 (+ (addr t.c:hidden) 0)) 11)",
                                              "(not (defined (mem int8 0)))",
                                              "(not (defined (mem int64 -4)))",
                                              "(not (defined (mem string 8)))",
                                              "(not (defined (mem int32 (div 1 0))))",
                                              "(= (mem double (addr d)) 2.25)",
                                              "(= (mem float (addr f)) 0.5)",
                                              "(= (mem uint16 (addr u16)) 65000)"};
static const char *const true_inside[] = {"(= (var n) 12)",
                                          "(= (var i32) -70000)",
                                          "(= (var buffer string) \"buffer\")",
                                          "(= (var file string) \"file\")",
                                          "(= (var mine) 44)",
                                          "(= (mem int32 (addr n)) 12)",
                                          "(= (var buffer int8) 98)"};

// What random terms meet too seldom. The literals of C are folded while code is made: numbers come from
// texts.
static const char *const true_of_terms[] = {
    "(defined (/ 1.0 (strtod \"nan\")))",
    "(not (defined (/ 1.0 (strtod \"-0\"))))",
    "(= (div (strtol \"-9223372036854775808\") (strtol \"-1\")) -9223372036854775808)",
    "(= (mod (strtol \"-9223372036854775808\") (strtol \"-1\")) 0)",
    "(= (div (strtol \"7\") (strtol \"-1\")) -7)",
    "(not (defined (mod 1 (strtol \"0\"))))",
    "(and (= argc 3) (<= argc 3) (>= argc 3) (not (< argc 3)) (not (> argc 3)) (defined argc))",
    "(and (= (atoi (argv 1)) 2) (defined (atoi (argv 1))) (bvule 2 (atoi (argv 1))))",
    "(and (= (atoi (argv 1)) 2) (bvult 1 (atoi (argv 1))))",
    "(and (= (argv 1) \"2\") (defined (argv 1)) (not (= \"3\" (argv 1))))",
    "(not (bvult (strtol \"-1\") argc))",
    "(= (int64 (strtod \"-9223372036854775808\")) -9223372036854775808)",
    "(not (defined (int64 (strtod \"9223372036854775808\"))))",
    "(not (defined (int64 (strtod \"nan\"))))",
    "(distinct (strtod \"nan\") (strtod \"nan\") 1.0 2.0 3.0 4.0)",
    "(not (distinct \"a\" \"b\" (argv 1) \"c\" \"2\"))",
    "(distinct 1 2 4 5 6 argc 7)",
    "(not (distinct 1 2 4 5 6 argc 3))",
    "(not (distinct 1 2 4 5 6 (atoi (argv 7))))"};

static void test_terms(void) {
  size_t n = sizeof true_of_terms / sizeof *true_of_terms;
  for (size_t i = 0; i < n; ++i) {
    bool yes = holds(true_of_terms[i], NULL);
    if (!yes) fprintf(stderr, "%s\n", true_of_terms[i]);
    assert(yes);
  }
}

static void test_variables(void) {
  for (size_t i = 0; i < sizeof true_of_globals / sizeof *true_of_globals; ++i)
    if (!holds(true_of_globals[i], NULL)) fprintf(stderr, "%s\n", true_of_globals[i]), assert(!"it holds");
  for (size_t i = 0; i < sizeof true_inside / sizeof *true_inside; ++i)
    if (!holds(true_inside[i], "n")) fprintf(stderr, "%s\n", true_inside[i]), assert(!"it holds inside");
  assert(holds("(= (var shadow) 6)", "n") && holds("(= (var shadow) 7)", "inner"));
}

static const struct {
  const char *constraint, *at, *says;
} errors[] = {
    {"(= (var nothing) 1)", NULL, "no such global variable (at main's entry only globals are defined)"},
    {"(= (var n) 1)", NULL, "no such global variable (at main's entry only globals are defined)"},
    {"(= (addr nothing) 1)", "n", "no such variable"},
    {"(and false (= (var nothing) 1))", "n", "no such variable"},
    {"(= (var main) 1)", NULL, "no such global variable (at main's entry only globals are defined)"},
    {"(= (var hidden) 1)", NULL, "the variable is static: write t.c:hidden"},
    {"(= (var count) 1)", "n", "the variable is static: write t.c:count"},
    {"(= (var u.c:hidden) 1)", NULL, "no such variable in a file with this name"},
    {"(= (var gone) 1)", "n", "this variable of main is not in scope at the dispatch point"},
    {"(= (var inner) 1)", "inner", "the code after the dispatch point cannot access this variable"},
    {"(= (var f) 1)", NULL, "not an integer; give the type to read it as, for example (var x double)"},
    {"(= (var name) 1)", NULL, "not an integer; give the type to read it as, for example (var x double)"},
    {"(= (var table) 1)", NULL, "not an integer; give the type to read it as, for example (var x double)"},
    {"(= (var wide) 1)", NULL,
     "an integer of 128 bits; give the type to read it as, for example (var x uint8)"},
    {"(= (var i32 int64) 1)", NULL, "it has only 4 bytes"},
    {"(= (var c8 uint16) 1)", NULL, "it has only 1 byte"},
    {"(= (var i32 string) \"\")", NULL, "neither an array of char nor a pointer"},
    {"(= (var table string) \"\")", NULL, "neither an array of char nor a pointer"}};

static void test_errors(void) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i) {
    const char *both[] = {"(= argc 1)", errors[i].constraint};
    Given g = given(both, 2);
    Jit j = jit_open(span_of(bitcode.at, bitcode.len));
    Inside in;
    if (errors[i].at) inside(j.module, errors[i].at, &in);
    assert(!dispatch_function(j.module, g.s, g.all.at, 2, errors[i].at ? &in.place : NULL, g.diags));
    assert(diags_errors(g.diags) == 1 && diags_count(g.diags) == 1);
    const Diag *e = diags_at(g.diags, 0);
    size_t n = strlen(e->text), m = strlen(errors[i].says);
    bool same = !strncmp(e->text, "schedule 1: (", 13) && n > m && !strcmp(e->text + n - m, errors[i].says);
    if (!same) fprintf(stderr, "%s\n%s\n", errors[i].constraint, e->text);
    assert(same && !strcmp(e->file, "t.sigma") && e->line == 101);
    jit_close(&j);
    given_free(&g);
  }
}

// Without debug information LLVM's types are known, and what is signed is not.
static void test_without_debug(void) {
  const char *c[] = {"(and (= (var u8) -56) (= (var hidden) 11) (= (var other) 4660))"};
  Given g = given(c, 1);
  Jit j = jit_open(span_of(without.at, without.len));
  LLVMValueRef f = dispatch_function(j.module, g.s, g.all.at, 1, NULL, g.diags);
  assert(f && diags_count(g.diags) == 3 && !diags_errors(g.diags));
  assert(strstr(diags_at(g.diags, 0)->text, "read as a signed integer"));
  assert(run(&j, f, 0)(0, NULL, NULL) == 0);
  jit_close(&j);
  given_free(&g);
}

typedef struct {
  unsigned switches, cases, branches, calls, of,
      early;  // of: calls of one function; early: before the first branch
} Shape;

static Shape shape(const char *const *constraints, size_t n, const char *function) {
  Shape s = {0};
  Given g = given(constraints, n);
  Jit j = jit_open(span_of(bitcode.at, bitcode.len));
  LLVMValueRef f = dispatch_function(j.module, g.s, g.all.at, n, NULL, g.diags);
  assert(f && LLVMGetLinkage(f) == LLVMInternalLinkage);
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      if (LLVMIsASwitchInst(i)) ++s.switches, s.cases += LLVMGetNumSuccessors(i) - 1;
      if (LLVMIsABranchInst(i) && LLVMIsConditional(i)) ++s.branches;
      if (!call_is(i)) continue;
      ++s.calls;
      s.early += b == LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(f));
      s.of += !strcmp(LLVMGetValueName(call_function(i)), function);
    }
  jit_close(&j);
  given_free(&g);
  return s;
}

static void test_shape(void) {
  const char *two[] = {"(= (atoi (argv 1)) 2)", "(= (atoi (argv 1)) 3)"};
  Shape s = shape(two, 2, "rt_select_atoi");
  assert(s.switches == 1 && s.cases == 2 && s.calls == 1 && s.of == 1);
  // The common conjunct is asked once, a test that both share too.
  const char *common[] = {"(and (= argc 3) (< (atoi (argv 1)) 5) (= (argv 2) \"a\"))",
                          "(and (= argc 3) (< (atoi (argv 1)) 5) (= (argv 2) \"b\"))",
                          "(and (= argc 3) (not (< (atoi (argv 1)) 5)))"};
  s = shape(common, 3, "rt_select_which");
  assert(s.switches == 2 && s.cases == 3 && s.of == 1 && s.branches == 1);
  // Nothing is asked about what is decided.
  const char *decided[] = {"(= argc 3)", "(and (= argc 3) (= (argv 1) \"x\"))", "(> argc 2)", NULL,
                           "(> argc 2)"};
  s = shape(decided, 5, "rt_select_which");
  assert(s.switches == 1 && s.cases == 1 && s.branches == 1 && !s.calls);
  const char *never[] = {NULL, "false"};
  s = shape(never, 2, "");
  assert(!s.switches && !s.branches && !s.calls);
  assert(!shape(never, 0, "").branches);
  // What only one way needs is evaluated on that way.
  const char *late[] = {"(and (= argc 3) (= (atoi (argv 1)) 2))", "(and (= argc 3) (< (atoi (argv 1)) 9))"};
  s = shape(late, 2, "rt_select_atoi");
  assert(s.of == 1 && s.early == 0);
  const char *soon[] = {"(= (atoi (argv 1)) 2)"};
  assert(shape(soon, 1, "").early == 1);
  // Tests on a value that a switch has found out.
  const char *ranges[] = {"(and (= argc 3) (< argc 5))", "(and (= argc 4) (> 3 argc))"};
  s = shape(ranges, 2, "");
  assert(s.switches == 1 && !s.branches);
}

static void test_order(void) {
  static const char *argv[] = {"prog", "2", "-q", NULL};
  const char *c[] = {"(= (argv 1) \"3\")", "(= (argv 1) \"2\")", "(= argc 3)", "true"};
  assert(chosen(c, 4, NULL, 3, argv) == 1 && chosen(c, 4, NULL, 1, argv) == 3);
  const char *none[] = {"(= argc 4)", "(= (argv 5) (argv 5))"};
  assert(chosen(none, 2, NULL, 3, argv) == -1 && chosen(none, 0, NULL, 3, argv) == -1);
  // Only those that are given, the lowest first whatever the order that they are given in.
  Given g = given(c, 4);
  Jit j = jit_open(span_of(bitcode.at, bitcode.len));
  LLVMValueRef f = dispatch_function(j.module, g.s, (uint32_t[]){3, 2}, 2, NULL, g.diags);
  assert(run(&j, f, 2)(3, argv, NULL) == 2);
  jit_close(&j);
  given_free(&g);
}

// Constraints that no small tree decides: 300 of 3 disjunctions each over 40 bits. The code stays in
// proportion to them, and decides as they say.
static void test_explosion(void) {
  enum { N = 300, BITS = 40 };
  char *texts[N], bits[BITS + 1] = {0};
  uint32_t tests[N][6], seed = 12345;
  for (int i = 0; i < N; ++i) {
    for (int k = 0; k < 6; ++k) tests[i][k] = (seed = seed * 1103515245 + 12345) >> 16;
    Bytes out = {0};
    bytes_text(&out, "(and");
    for (int k = 0; k < 6; k += 2) {
      char *one =
          mem_format(" (or (= (char (argv 1) %u) %u) (not (= (char (argv 1) %u) %u)))", tests[i][k] % BITS,
                     48 + tests[i][k] / BITS % 2, tests[i][k + 1] % BITS, 48 + tests[i][k + 1] / BITS % 2);
      bytes_text(&out, one);
      mem_free(one);
    }
    bytes_text(&out, ")");
    texts[i] = mem_string((vec_push(&out, 0), (char *)out.at));
    vec_free(&out);
  }
  Given g = given((const char *const *)texts, N);
  Jit j = jit_open(span_of(bitcode.at, bitcode.len));
  LLVMValueRef f = dispatch_function(j.module, g.s, g.all.at, N, NULL, g.diags);
  assert(f && LLVMCountBasicBlocks(f) < 40 * N);
  Dispatcher *d = run(&j, f, 1);
  for (int round = 0; round < 500; ++round) {
    const char *argv[] = {"prog", bits, NULL};
    int64_t expected = -1;
    for (int k = 0; k < BITS; ++k) bits[k] = (char)('0' + ((seed = seed * 1103515245 + 12345) >> 20) % 2);
    for (int i = 0; i < N && expected < 0; ++i) {
      bool all = true;
      for (int k = 0; k < 6; k += 2) {
        bool one = bits[tests[i][k] % BITS] == (char)(48 + tests[i][k] / BITS % 2);
        all = all && (one || bits[tests[i][k + 1] % BITS] != (char)(48 + tests[i][k + 1] / BITS % 2));
      }
      if (all) expected = i;
    }
    assert(d(2, argv, NULL) == expected);
  }
  jit_close(&j);
  given_free(&g);
  for (int i = 0; i < N; ++i) mem_free(texts[i]);
}

// A test that all constraints share, and that is come to in many ways: each answer counts on every way.
static void test_shared(void) {
  enum { N = 40 };
  static const char *const tails[] = {"(<= (strlen (argv 2)) 4)", "(not (<= (strlen (argv 2)) 4))",
                                      "(or (<= (strlen (argv 2)) 4) (< (strlen (argv 3)) 2))"};
  char *texts[N], number[12];
  for (int i = 0; i < N; ++i)
    texts[i] =
        mem_format("(and (>= (atoi (argv 1)) %d) (< (atoi (argv 1)) %d) %s)", 2 * i, 2 * i + 5, tails[i % 3]);
  Given g = given((const char *const *)texts, N);
  Jit j = jit_open(span_of(bitcode.at, bitcode.len));
  Dispatcher *d = run(&j, dispatch_function(j.module, g.s, g.all.at, N, NULL, g.diags), 0);
  for (int n = -1; n < 2 * N + 6; ++n)
    for (int how = 0; how < 4; ++how) {
      const char *argv[] = {"prog", number, how & 1 ? "long text" : "", how & 2 ? "long text" : "", NULL};
      snprintf(number, sizeof number, "%d", n);
      TermInputs in = {.argc = 4, .argv = argv};
      int64_t expected = -1;
      for (int i = N; i-- > 0;)
        if (term_holds(g.s->terms, g.s->schedules.at[i]->when, &in)) expected = i;
      assert(d(4, argv, NULL) == expected);
    }
  jit_close(&j);
  given_free(&g);
  for (int i = 0; i < N; ++i) mem_free(texts[i]);
}

static char *repeated(const char *open, unsigned n, const char *middle, const char *close) {
  Bytes out = {0};
  for (unsigned i = 0; i < n; ++i) bytes_text(&out, open);
  bytes_text(&out, middle);
  for (unsigned i = 0; i < n; ++i) bytes_text(&out, close);
  vec_push(&out, 0);
  return (char *)out.at;
}

// As deep as the language allows, and as wide as a person might.
static void test_large(void) {
  enum { DEEP = LIMIT_TERM_DEPTH - 4 };
  static const struct {
    const char *open, *middle, *close;
    bool holds;
  } deep[] = {{"(not ", "(= argc 3)", ")", DEEP % 2 == 0},
              {"(and (= argc 3) (or (= argc 4) ", "(= argc 3)", "))", true},
              {"(ite (= argc 4) false ", "(= argc 3)", ")", true},
              {"(= true ", "(= argc 3)", ")", true},
              {"(= (< argc 9) ", "(< argc 4)", ")", true}};
  for (size_t i = 0; i < sizeof deep / sizeof *deep; ++i) {
    char *text = repeated(deep[i].open, i == 1 ? DEEP / 2 : DEEP, deep[i].middle, deep[i].close);
    assert(holds(text, NULL) == deep[i].holds);
    mem_free(text);
  }
  char *sum = repeated("(+ argc ", DEEP, "0", ")"), *whole = mem_format("(= %s %u)", sum, 3 * DEEP);
  assert(holds(whole, NULL));
  // A thousand schedules that all begin with such a term: it is there once.
  enum { N = 1000 };
  char *many[N];
  for (unsigned i = 0; i < N; ++i) many[i] = mem_format("(and (>= %s %u) (= (atoi (argv 1)) %u))", sum, i, i);
  size_t calls = shape((const char *const *)many, N, "rt_select_atoi").of;
  Given g = given((const char *const *)many, N);
  Jit j = jit_open(span_of(bitcode.at, bitcode.len));
  LLVMValueRef f = dispatch_function(j.module, g.s, g.all.at, N, NULL, g.diags);
  size_t instructions = 0;
  for (all_blocks(b, f))
    for (all_insts(k, b)) ++instructions;
  assert(calls == 1 && instructions < DEEP + 30 * N);
  jit_close(&j);
  given_free(&g);
  for (unsigned i = 0; i < N; ++i) mem_free(many[i]);
  mem_free(sum), mem_free(whole);
}

static void test_wide(void) {
  static const char *const ops[] = {"and", "or", "<", "=", "distinct", "+"};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) {
    Bytes out = {0};
    bytes_text(&out, i == 5 ? "(< 9 (" : "(");
    bytes_text(&out, ops[i]);
    for (int n = 0; n < 5000; ++n) {
      char *one = mem_format(i < 2 ? " (distinct argc %d)" : i == 3 ? " (* argc 1)" : " (+ argc %d)", n + 10);
      bytes_text(&out, one);
      mem_free(one);
    }
    bytes_text(&out, i == 5 ? "))" : ")");
    vec_push(&out, 0);
    assert(holds((char *)out.at, NULL));
    vec_free(&out);
  }
}

int main(void) {
  bitcode = jit_compile(program, "-g -fno-discard-value-names");
  without = jit_compile(program, "-fno-discard-value-names");
  test_order();
  test_shape();
  test_terms();
  test_variables();
  test_errors();
  test_without_debug();
  test_explosion();
  test_shared();
  test_large();
  test_wide();
  vec_free(&bitcode);
  vec_free(&without);
  return 0;
}

// Generated code against the reference evaluator: random constraints that share much, on random inputs.
// Whatever the operations' signatures allow is made, so a new operation is tested when it is in term.def.
// dispatch_random [FIRST [COUNT]]: seeds. SPEC_SOAK=1: many more.
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include "jit.h"

static const char program[] =
    "signed char c8; unsigned char u8; short s16; unsigned short u16; int i32; unsigned u32; long l64;\n"
    "unsigned long u64; float f; double d; char text[8]; const char *p; char table[64]; char *edge;\n"
    "static int hidden;\n"
    "void point(void *);\n"
    "int main(void) {\n"
    "  short n = 0; char buffer[16] = \"\"; const char *q = 0; unsigned long big = 0; point(&hidden);\n"
    "  return n + buffer[0] + *q + big;\n"
    "}\n";

typedef struct {
  const char *name;
  char kind;  // i u: integers, f: a real, a: an array, p: a pointer
  uint8_t size;
  uint8_t local;  // one and its place
  void *at;
} Known;
static char locals[4][16];
static Known known[] = {{"c8", 'i', 1, 0, NULL},     {"u8", 'u', 1, 0, NULL},
                        {"s16", 'i', 2, 0, NULL},    {"u16", 'u', 2, 0, NULL},
                        {"i32", 'i', 4, 0, NULL},    {"u32", 'u', 4, 0, NULL},
                        {"l64", 'i', 8, 0, NULL},    {"u64", 'u', 8, 0, NULL},
                        {"f", 'f', 4, 0, NULL},      {"d", 'f', 8, 0, NULL},
                        {"text", 'a', 8, 0, NULL},   {"p", 'p', 8, 0, NULL},
                        {"table", 'a', 64, 0, NULL}, {"t.c:hidden", 'i', 4, 0, NULL},
                        {"n", 'i', 2, 1, locals[0]}, {"buffer", 'a', 16, 2, locals[1]},
                        {"q", 'p', 8, 3, locals[2]}, {"big", 'u', 8, 4, locals[3]},
                        {"edge", 'e', 8, 0, NULL}};
enum { KNOWN = sizeof known / sizeof *known };

static const char *const words[] = {
    "",     "2",   "3",   "-7",    "abc", "abd", "ABC",  "0x1f",
    "0.05", "nan", "inf", "1e400", " 12", "zz9", "\xff", "99999999999999999999",
    "-0",   "1e-3"};
enum { WORDS = sizeof words / sizeof *words };
static const char *const envs[] = {"SPEC_TEST_A", "SPEC_TEST_B", "SPEC_TEST_C"};
static const char *edge_of;  // 8 bytes from here can be read

static uint64_t seed;
// splitmix64: neighbouring draws must not be related, or some operations are never drawn.
static uint32_t below(uint32_t n) {
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ z >> 31) >> 32) % n;
}
static const char *word(void) {
  return words[below(WORDS)];
}

// One input: arguments, environment, variables.
typedef struct {
  int argc;
  const char *argv[7];
  const char *env[3];
  char bytes[KNOWN][64];
} Input;

static Input make_input(void) {
  static const double reals[] = {0, 0.5, -1.25, 3, 1e300};
  Input in = {.argc = 1 + (int)below(5)};
  for (int i = 0; i < in.argc; ++i) in.argv[i] = word();
  for (int i = 0; i < 3; ++i) in.env[i] = below(3) ? word() : NULL;
  for (int i = 0; i < KNOWN; ++i) {
    for (int b = 0; b < 64; ++b) in.bytes[i][b] = (char)(below(3) ? (int)below(4) : (int)below(256));
    const char *s = below(4) ? word() : below(2) ? NULL : (const char *)8;
    double d = reals[below(5)];
    float f = (float)d;
    if (known[i].kind == 'p') memcpy(in.bytes[i], &s, sizeof s);
    if (known[i].kind == 'e') memcpy(in.bytes[i], &edge_of, sizeof edge_of);
    if (known[i].kind == 'f')
      memcpy(in.bytes[i], known[i].size == 4 ? (void *)&f : (void *)&d, known[i].size);
  }
  return in;
}

static void set_input(const Input *in) {
  for (int i = 0; i < 3; ++i)
    if (in->env[i])
      setenv(envs[i], in->env[i], 1);
    else
      unsetenv(envs[i]);
  for (int i = 0; i < KNOWN; ++i) memcpy(known[i].at, in->bytes[i], known[i].size);
}

// The reference reads memory through the kernel.
static bool peek(int64_t address, void *to, size_t n) {
  struct iovec here = {to, n}, there = {(void *)(uintptr_t)address, n};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)n;
}

static bool interpret(const void *bytes, TermAccess access, TermValue *out) {
  union {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    float f;
    double d;
  } u;
  memcpy(&u, bytes, sizeof u);
  switch (access) {
    case TERM_AS_INT8:
      return out->as.i = u.i8, true;
    case TERM_AS_INT16:
      return out->as.i = u.i16, true;
    case TERM_AS_INT32:
      return out->as.i = u.i32, true;
    case TERM_AS_UINT8:
      return out->as.i = u.u8, true;
    case TERM_AS_UINT16:
      return out->as.i = u.u16, true;
    case TERM_AS_UINT32:
      return out->as.i = u.u32, true;
    case TERM_AS_FLOAT:
      return out->as.d = (double)u.f, true;
    case TERM_AS_DOUBLE:
      return out->as.d = u.d, true;
    default:
      return out->as.i = u.i64, true;
  }
}

static size_t size_of(TermAccess access) {
  static const uint8_t sizes[TERM_ACCESSES] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 0};
  return sizes[access];
}

static bool memory(void *at, int64_t address, TermAccess access, TermValue *out) {
  char bytes[8] = {0}, c = 1;
  (void)at;
  if (access != TERM_AS_STRING) return peek(address, bytes, size_of(access)) && interpret(bytes, access, out);
  for (int64_t a = address; c; ++a)
    if (!peek(a, &c, 1)) return false;
  return out->as.s = (const char *)(uintptr_t)address, true;
}

static const Known *find(const char *name) {
  for (int i = 0; i < KNOWN; ++i)
    if (!strcmp(known[i].name, name)) return &known[i];
  assert(!"it is known");
  return NULL;
}

static bool variable(void *at, const char *name, TermAccess access, TermValue *out) {
  const Known *k = find(name);
  char bytes[8] = {0};
  if (access == TERM_AS_STRING && k->kind == 'a') return out->as.s = k->at, memchr(k->at, 0, k->size) != NULL;
  memcpy(bytes, k->at, k->size < 8 ? k->size : 8);
  if (access == TERM_AS_STRING) {
    int64_t p;
    memcpy(&p, bytes, sizeof p);
    return memory(at, p, access, out);
  }
  static const TermAccess signed_of[] = {0, TERM_AS_INT8, TERM_AS_INT16, 0, TERM_AS_INT32, 0, 0,
                                         0, TERM_AS_INT64};
  static const TermAccess unsigned_of[] = {0, TERM_AS_UINT8, TERM_AS_UINT16, 0, TERM_AS_UINT32, 0, 0,
                                           0, TERM_AS_UINT64};
  if (access == TERM_AS_DECLARED) access = (k->kind == 'u' ? unsigned_of : signed_of)[k->size];
  return interpret(bytes, access, out);
}

static bool address(void *at, const char *name, int64_t *out) {
  (void)at;
  *out = (int64_t)(uintptr_t)find(name)->at;
  return true;
}

// Terms, by type; used again and again.
static const char *const signatures[] = {
#define TERM(id, word, signature) signature,
#include "sigma/term.def"
};
static Terms *ts;
static Vec(Term) pool[4];
static uint32_t made[TERM_OPS];
static Input *aims;  // inputs of this round
static size_t aim_count;
static TermInputs seen(const Input *in) {
  return (TermInputs){.argc = in->argc, .argv = in->argv, .var = variable, .addr = address, .mem = memory};
}

static Term any(TermType type, int deep);

static Term literal(TermType type) {
  static const double reals[] = {0, -0.0, 0.5, 2, -7, 1e300, 0.05, 9.3e18};
  static const int64_t ints[] = {0, 1, 2, 3, -1, 8, 63, 64, 255, INT64_MAX, INT64_MIN, 0x80000000, 10, 16};
  if (type == TERM_IS_BOOL) return term_bool(ts, below(2));
  if (type == TERM_IS_INT64) return term_int(ts, ints[below(14)]);
  return type == TERM_IS_DOUBLE ? term_real(ts, reals[below(8)]) : term_string(ts, word());
}

static Term of_variable(TermType type) {
  const Known *k = &known[below(KNOWN)];
  TermAccess access;
  if (type == TERM_IS_STRING)
    return k->kind == 'a' || k->kind == 'p' ? term_var(ts, k->name, TERM_AS_STRING) : literal(type);
  if (type == TERM_IS_DOUBLE) {
    access = below(2) ? TERM_AS_FLOAT : TERM_AS_DOUBLE;
    return k->kind == 'f' && k->size >= size_of(access) ? term_var(ts, k->name, access) : literal(type);
  }
  access = (TermAccess)below(TERM_AS_UINT64 + 1);
  if (access == TERM_AS_DECLARED && k->kind != 'i' && k->kind != 'u') return term_addr(ts, k->name);
  return size_of(access) <= k->size ? term_var(ts, k->name, access) : literal(type);
}

// Only of memory that stays as it is from one evaluation to the next.
static Term of_memory(TermType type) {
  TermError error;
  Term at = below(2) ? term_addr(ts, "table") : term_var(ts, "edge", TERM_AS_INT64);
  at = term_apply(ts, TERM_ADD, (Term[]){at, term_int(ts, below(9))}, 2, &error);
  if (!below(4)) at = term_int(ts, (int64_t)below(4096) - 8);
  if (!below(3))
    at = term_apply(ts, TERM_ITE, (Term[]){any(TERM_IS_BOOL, 1), at, term_int(ts, 8)}, 3, &error);
  TermAccess access = TERM_AS_STRING;
  if (type == TERM_IS_INT64) access = (TermAccess)(TERM_AS_INT8 + below(8));
  if (type == TERM_IS_DOUBLE) access = below(2) ? TERM_AS_FLOAT : TERM_AS_DOUBLE;
  return term_mem(ts, access, at, &error);
}

static Term leaf(TermType type) {
  static const char *const numbers[] = {"_SC_PAGESIZE", "_SC_ARG_MAX", "_SC_OPEN_MAX", "_SC_TZNAME_MAX"};
  uint32_t how = below(8);
  if (how < 2 || type == TERM_IS_BOOL) return literal(type);
  if (how < 4) return of_variable(type);
  if (how == 4) return of_memory(type);
  if (type == TERM_IS_STRING) return how < 7 ? term_argv(ts, below(6)) : term_env(ts, envs[below(3)]);
  if (type == TERM_IS_DOUBLE) return literal(type);
  return how == 5 ? term_sysconf(ts, numbers[below(4)]) : term_argc(ts);
}

static TermType type_of(char letter, TermType same) {
  if (letter == 'a' || letter == 'n') return same;
  return letter == 'b'   ? TERM_IS_BOOL
         : letter == 'i' ? TERM_IS_INT64
         : letter == 'd' ? TERM_IS_DOUBLE
                         : TERM_IS_STRING;
}

// Fits the signature's result; same is what a or n stand for.
static bool fits(const char *signature, TermType type, TermType *same) {
  if (!*signature || !signature[2]) return false;
  *same = (TermType)below(4);
  if (strchr(signature, 'n')) *same = below(2) ? TERM_IS_INT64 : TERM_IS_DOUBLE;
  if (*signature == 'n' && (type == TERM_IS_BOOL || type == TERM_IS_STRING)) return false;
  if (*signature == 'a' || *signature == 'n') return *same = type, true;
  return type_of(*signature, type) == type;
}

static Term applied(TermType type, int deep) {
  TermOp op;
  TermType same;
  do op = (TermOp)below(TERM_OPS);
  while (!fits(signatures[op], type, &same));
  Term operands[16];
  size_t n = 0;
  for (const char *s = signatures[op] + 2; *s; ++s) {
    uint32_t more = 1;
    if (*s == '?') continue;
    if (s[1] == '?') more = below(2);
    if (s[1] == '+') more = below(20) ? 1 + below(3) : 1 + below(10);
    for (; more--;) operands[n++] = any(type_of(*s, same), deep - 1);
    if (s[1] == '+') break;
  }
  TermError error = {0};
  Term t = term_apply(ts, op, operands, n, &error);
  if (t == TERM_NONE) fprintf(stderr, "%s: %s\n", term_op_word(op), error.text);
  assert(t != TERM_NONE);
  ++made[op];
  return t;
}

// value = what it is for one of the inputs, or close to it.
static Term aimed(int deep) {
  static const TermOp ops[] = {TERM_EQ, TERM_EQ, TERM_EQ, TERM_LT, TERM_GE, TERM_DISTINCT, TERM_BVULE};
  TermType type = below(3) ? TERM_IS_INT64 : below(2) ? TERM_IS_STRING : TERM_IS_DOUBLE;
  Term t = any(type, deep - 1), other = literal(type);
  const Input *in = &aims[below((uint32_t)aim_count)];
  set_input(in);
  TermInputs at = seen(in);
  TermValue v = term_value(ts, t, &at);
  TermOp op = ops[below(type == TERM_IS_STRING ? 3 : type == TERM_IS_DOUBLE ? 6 : 7)];
  if (v.defined && type == TERM_IS_INT64) other = term_int(ts, v.as.i);
  if (v.defined && type == TERM_IS_STRING) other = term_string(ts, v.as.s);
  if (v.defined && type == TERM_IS_DOUBLE && v.as.d - v.as.d == 0) other = term_real(ts, v.as.d);
  TermError error;
  bool swap = below(4) == 0;
  return term_apply(ts, op, swap ? (Term[]){other, t} : (Term[]){t, other}, 2, &error);
}

static Term any(TermType type, int deep) {
  Term t;
  if (pool[type].len && !below(3)) return pool[type].at[below((uint32_t)pool[type].len)];
  if (type == TERM_IS_BOOL && deep > 0 && below(5) < 3)
    t = aimed(deep);
  else
    t = deep > 0 ? applied(type, deep) : leaf(type);
  vec_push(&pool[type], t);
  return t;
}

static void shout(const Sigma *s, const Input *in, int64_t expected, int64_t got, uint64_t first) {
  Bytes out = {0};
  fprintf(stderr, "seed %llu: schedule %lld expected, %lld chosen; argc %d", (unsigned long long)first,
          (long long)expected, (long long)got, in->argc);
  for (int i = 0; i < in->argc; ++i) fprintf(stderr, " \"%s\"", in->argv[i]);
  for (vec_each(i, &s->schedules)) {
    out.len = 0;
    term_print(ts, s->schedules.at[i]->when, &out);
    fprintf(stderr, "\n%zu: %.*s", i, (int)out.len, (char *)out.at);
  }
  fprintf(stderr, "\n");
  vec_free(&out);
}

static int64_t reference(const Sigma *s, const Input *in) {
  TermInputs at = seen(in);
  for (vec_each(i, &s->schedules))
    if (term_holds(ts, s->schedules.at[i]->when, &at)) return (int64_t)i;
  return -1;
}

static LLVMValueRef generate(Jit *j, const Sigma *s) {
  static const char *const names[] = {"n", "buffer", "q", "big"};
  LLVMValueRef main = LLVMGetNamedFunction(j->module, "main"), at[4] = {0}, point = NULL;
  for (all_insts(i, LLVMGetEntryBasicBlock(main))) {
    for (int n = 0; n < 4; ++n)
      if (LLVMIsAAllocaInst(i) && !strcmp(LLVMGetValueName(i), names[n])) at[n] = i;
    if (call_is(i) && call_function(i) == LLVMGetNamedFunction(j->module, "point")) point = i;
  }
  DispatchPlace place = {main, point, at, 4};
  Vec(uint32_t) all = {0};
  for (uint32_t i = 0; i < s->schedules.len; ++i) vec_push(&all, i);
  Diags *d = diags_new();
  LLVMValueRef f = dispatch_function(j->module, s, all.at, all.len, &place, d);
  diags_print(d, stderr, "test");
  assert(f && !diags_count(d));
  diags_free(d);
  vec_free(&all);
  LLVMSetLinkage(LLVMGetNamedGlobal(j->module, "hidden"), LLVMExternalLinkage);
  return f;
}

static void nobody(void *p) {
  (void)p;
}

// The addresses of one engine are those of the next only by chance: terms are made when they are known. So
// the program is loaded twice: once for its memory, once with the code, which is bound to that memory.
static void find_memory(Jit *j, Span bitcode) {
  *j = jit_open(bitcode);
  LLVMSetLinkage(LLVMGetNamedGlobal(j->module, "hidden"), LLVMExternalLinkage);
  jit_bind(j, "point", (void *)(uintptr_t)nobody);
  jit_run(j, LLVMGetNamedFunction(j->module, "main"), 0);
  for (int i = 0; i < KNOWN; ++i) {
    const char *colon = strchr(known[i].name, ':');
    if (!known[i].local) known[i].at = jit_address(j, colon ? colon + 1 : known[i].name);
  }
}

static void bind_memory(Jit *j) {
  for (int i = 0; i < KNOWN; ++i) {
    const char *colon = strchr(known[i].name, ':');
    if (known[i].local) continue;
    module_undefine(LLVMGetNamedGlobal(j->module, colon ? colon + 1 : known[i].name));
    jit_bind(j, colon ? colon + 1 : known[i].name, known[i].at);
  }
  jit_bind(j, "point", (void *)(uintptr_t)nobody);
}

typedef struct {
  size_t runs, chosen, first;
} Tally;

static void round_of(Span bitcode, uint64_t first, Tally *tally) {
  void *const where[] = {locals[0], locals[1], locals[2], locals[3]};
  Input inputs[16];
  seed = first << 32;
  aims = inputs;
  aim_count = 16;
  for (int i = 0; i < 16; ++i) inputs[i] = make_input();
  Sigma *s = sigma_new("test", "00");
  ts = s->terms;
  for (int i = 0; i < 4; ++i) pool[i].len = 0;
  uint32_t schedules = below(4) ? 1 + below(12) : 20 + below(40);
  int deep = schedules > 12 ? 3 : 1 + (int)below(6);
  for (uint32_t i = 0; i < schedules; ++i) {
    Schedule *c = sigma_add_schedule(s);
    c->when = any(TERM_IS_BOOL, deep);
    c->status = SIGMA_PROVED;
  }
  Jit j = jit_open(bitcode);
  LLVMValueRef f = generate(&j, s);
  bind_memory(&j);
  Dispatcher *d = jit_run(&j, f, (unsigned)(first % 3));
  for (int i = 0; i < 16; ++i) {
    set_input(&inputs[i]);
    int64_t expected = reference(s, &inputs[i]);
    errno = 4711;
    int64_t got = d(inputs[i].argc, inputs[i].argv, where);
    assert(errno == 4711);
    if (got != expected) shout(s, &inputs[i], expected, got, first);
    assert(got == expected);
    ++tally->runs, tally->chosen += got >= 0, tally->first += got == 0;
  }
  jit_close(&j);
  sigma_free(s);
}

static void make_edge(void) {
  char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(pages != MAP_FAILED && !mprotect(pages + 4096, 4096, PROT_NONE));
  memset(pages, 'x', 4096);
  pages[4090] = 0;
  edge_of = pages + 4088;
}

int main(int argc, char **argv) {
  uint64_t from = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : getenv("SPEC_SOAK") ? 20000 : 150;
  Bytes bitcode = jit_compile(program, "-g -fno-discard-value-names");
  Tally tally = {0};
  Jit memory_of;
  make_edge();
  find_memory(&memory_of, span_of(bitcode.at, bitcode.len));
  for (uint64_t i = from; i < from + count; ++i) round_of(span_of(bitcode.at, bitcode.len), i, &tally);
  printf("%zu runs, %zu chosen, %zu the first\n", tally.runs, tally.chosen, tally.first);
  if (count >= 100) {
    for (int op = 0; op < TERM_OPS; ++op) assert(made[op] || !signatures[op][0] || !signatures[op][2]);
    assert(tally.chosen > tally.runs / 4 && tally.chosen < tally.runs && tally.first < tally.chosen);
  }
  for (int i = 0; i < 4; ++i) vec_free(&pool[i]);
  jit_close(&memory_of);
  vec_free(&bitcode);
  return 0;
}

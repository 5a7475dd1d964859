// Loops that become functions: which may, which become the same one, with which parameters; and that the code
// computes what it did.
#undef NDEBUG
#include <llvm-c/ExecutionEngine.h>
#include "parse.h"

// A sum, with a constant of its own, a variable of the frame, and a way out in the middle.
#define SUM(name, step, limit)                                                                             \
  "define i32 @" name                                                                                      \
  "(i32 %n) {\nentry:\n  %sum = alloca i32\n  store i32 0, ptr %sum\n  br label %head\n"                   \
  "head:\n  %i = phi i32 [ 1, %entry ], [ %next, %more ]\n  %old = load i32, ptr %sum\n"                   \
  "  %new = add i32 %old, " step "\n  store i32 %new, ptr %sum\n  %far = icmp sgt i32 %new, " limit        \
  "\n  br i1 %far, label %out, label %more\n"                                                              \
  "more:\n  %next = add i32 %i, 1\n  %go = icmp slt i32 %next, %n\n  br i1 %go, label %head, label %end\n" \
  "out:\n  %a = phi i32 [ %i, %head ]\n  %b = mul i32 %a, 1000\n  ret i32 %b\n"                            \
  "end:\n  %c = load i32, ptr %sum\n  %d = add i32 %c, %next\n  ret i32 %d\n}\n"

static const char sums[] = SUM("first", "3", "50") SUM("second", "4", "50") SUM("third", "3", "50");

// Two loops, one behind the other, the second of which begins with what the first one ends with; division,
// whose constant stays; a nest.
static const char chain[] =
    "define i32 @first(i32 %n) {\nentry:\n  br label %a\n"
    "a:\n  %i = phi i32 [ 0, %entry ], [ %j, %a ]\n  %j = add i32 %i, 3\n  %p = icmp slt i32 %j, %n\n"
    "  br i1 %p, label %a, label %b\n"
    "b:\n  %k = phi i32 [ %j, %a ], [ %l, %b ]\n  %l = sdiv i32 %k, 2\n  %q = icmp sgt i32 %l, 7\n"
    "  br i1 %q, label %b, label %c\n"
    "c:\n  %x = phi i32 [ %l, %b ], [ %y, %e ]\n  br label %d\n"
    "d:\n  %u = phi i32 [ 0, %c ], [ %v, %d ]\n  %v = add i32 %u, 1\n  %r = icmp slt i32 %v, %n\n"
    "  br i1 %r, label %d, label %e\n"
    "e:\n  %y = add i32 %x, %v\n  %s = icmp slt i32 %y, 90\n  br i1 %s, label %c, label %f\n"
    "f:\n  %z = add i32 %y, %j\n  ret i32 %z\n}\n";

static const char stays[] =
    "declare i32 @_setjmp(ptr) returns_twice\ndeclare void @throws()\ndeclare i32 "
    "@__gxx_personality_v0(...)\n"
    "define void @first(ptr %p) {\nentry:\n  br label %a\na:\n  %r = call i32 @_setjmp(ptr %p)\n"
    "  %c = icmp eq i32 %r, 0\n  br i1 %c, label %a, label %b\nb:\n  ret void\n}\n"
    "define void @second(i32 %n) {\nentry:\n  br label %a\na:\n  %p = alloca i32, i32 %n\n  br label %a\n}\n"
    "define void @third() personality ptr @__gxx_personality_v0 {\nentry:\n  br label %a\n"
    "a:\n  invoke void @throws() to label %a unwind label %pad\n"
    "pad:\n  %e = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %e\n}\n";

static const char scopes[] =
    "define void @first(ptr %p, ptr %q) {\nentry:\n  br label %a\n"
    "a:\n  %v = load i32, ptr %p, !alias.scope !3\n  store i32 %v, ptr %q, !noalias !3\n  br label %a\n}\n"
    "define void @second(ptr %p, ptr %q) {\nentry:\n  br label %a\n"
    "a:\n  %v = load i32, ptr %p, !alias.scope !4\n  store i32 %v, ptr %q, !noalias !4\n  br label %a\n}\n"
    "define void @third(ptr %p, ptr %q) {\nentry:\n  br label %a\n"
    "a:\n  %v = load i32, ptr %p, !alias.scope !3\n  store i32 %v, ptr %q, !noalias !4\n  br label %a\n}\n"
    "!0 = distinct !{!0}\n!1 = distinct !{!1, !0}\n!2 = distinct !{!2, !0}\n!3 = !{!1}\n!4 = !{!2}\n";

static const char *const names[] = {"first", "second", "third"};

static size_t take_loops(LLVMValueRef f, Families *families) {
  Cfg *c = cfg_new(f);
  Dom *d = dom_new(c);
  Loops *l = loops_new(c, d);
  Vec(LoopRegion) taken = {0};
  for (uint32_t n = 0; n < loops_count(l); n = loop_last(l, n) + 1)
    if (region_can_move(l, n)) vec_push(&taken, region_make(l, n));
  for (vec_each(i, &taken)) families_add(families, taken.at[i]);
  size_t count = taken.len;
  vec_free(&taken);
  loops_free(l), dom_free(d), cfg_free(c);
  return count;
}

static size_t take_all(LLVMModuleRef m, Families *families) {
  size_t count = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (LLVMGetNamedFunction(m, names[i])) count += take_loops(LLVMGetNamedFunction(m, names[i]), families);
  families_settle(families);
  return count;
}

static void exchange(LLVMModuleRef m, Families *families, bool unscoped) {
  LLVMDIBuilderRef debug = LLVMCreateDIBuilder(m);
  Vec(LLVMValueRef) made = {0};
  Diags *d = diags_new();
  for (size_t i = 0; i < families_count(families); ++i) {
    assert(families_at(families, i)->unscoped == unscoped);
    vec_push(&made, outline_write(families_at(families, i), "loop", debug));
  }
  for (vec_each(i, &made)) outline_calls(families_at(families, i), made.at[i]);
  assert(module_verify(m, "outlined", d));
  diags_free(d);
  vec_free(&made);
  LLVMDisposeDIBuilder(debug);
}

enum { INPUTS = 40 };
static void run_all(LLVMModuleRef m, int *results) {
  LLVMExecutionEngineRef e;
  LLVMModuleRef copy = LLVMCloneModule(m);
  char *error;
  bool failed = LLVMCreateJITCompilerForModule(&e, copy, 0, &error);
  assert(!failed);
  for (size_t i = 0; i < sizeof names / sizeof *names && LLVMGetNamedFunction(m, names[i]); ++i) {
    union {
      uint64_t address;
      int (*function)(int);
    } f = {.address = LLVMGetFunctionAddress(e, names[i])};
    for (int n = 0; n < INPUTS; ++n) results[i * INPUTS + (size_t)n] = f.function(n);
  }
  LLVMDisposeExecutionEngine(e);
}

static void test_same(const char *text, size_t loops, size_t functions, size_t parameters) {
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = parse(c, text);
  Families *families = families_new();
  int before[3 * INPUTS] = {0}, after[3 * INPUTS] = {0};
  run_all(m, before);
  assert(take_all(m, families) == loops && families_count(families) == functions);
  assert(families_at(families, 0)->holes.hole.len == parameters);
  exchange(m, families, false);
  run_all(m, after);
  assert(!memcmp(before, after, sizeof before));
  families_free(families);
  LLVMDisposeModule(m), LLVMContextDispose(c);
}

static void test_stays(void) {
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = parse(c, stays);
  Families *families = families_new();
  assert(!take_all(m, families) && !families_count(families));
  families_free(families);
  LLVMDisposeModule(m), LLVMContextDispose(c);
}

// Scopes that differ in name alone are kept; what one member says and another does not is not.
static void test_scopes(bool differ) {
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = parse(c, scopes);
  Families *families = families_new();
  if (!differ) LLVMDeleteFunction(LLVMGetNamedFunction(m, "third"));
  assert(take_all(m, families) == (differ ? 3 : 2) && families_count(families) == 1);
  exchange(m, families, differ);
  unsigned kind = LLVMGetMDKindIDInContext(c, "alias.scope", 11);
  size_t kept = 0;
  for (all_blocks(b, LLVMGetNamedFunction(m, "loop")))
    for (all_insts(i, b)) kept += LLVMGetMetadata(i, kind) != NULL;
  assert(kept == !differ);
  families_free(families);
  LLVMDisposeModule(m), LLVMContextDispose(c);
}

int main(void) {
  emit_targets();
  LLVMLinkInMCJIT();
  test_same(sums, 3, 1, 3);  // n, the sum, the step; the limit is one constant
  test_same(chain, 3, 3, 1);
  test_stays();
  test_scopes(false);
  test_scopes(true);
  return 0;
}

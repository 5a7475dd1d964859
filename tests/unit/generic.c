// Clones that may be left, by hand: what the check of a specialized module finds, and what a view keeps of
// them.
#undef NDEBUG
#include "cfspec/cfspec.h"
#include "parse.h"

#define NODE(position)                                         \
  "{ i32 0, i32 " position ", i32 " position                   \
  ", i32 0, i32 -1, i32 0, i32 0, i32 0, ptr null, ptr null, " \
  "ptr null, i32 0, i32 0 }"

// %s: what stands in generic code, and what the exit leads to.
static const char ir[] =
    "%%node = type { i32, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr, i32, i32 }\n"
    "@specialize.s0.t0.0 = private constant %%node " NODE("0") "\n"
    "@specialize.s0.t0.1 = private constant %%node " NODE("1") "\n"
    "@edge = private constant i32 0\n"
    "@mutex = global [40 x i8] zeroinitializer\n"
    "@seen = global i32 0\n"
    "declare i32 @rt_enf_pthread_mutex_lock(ptr, ptr)\n"
    "declare i32 @rt_enf_pthread_mutex_unlock(ptr, ptr)\n"
    "declare i32 @pthread_mutex_unlock(ptr)\n"
    "declare void @rt_enf_leave(ptr)\n"
    "declare i32 @rt_enf_is_free(i32)\n"
    "define i32 @main(i32 %%n, ptr %%v) {\n"
    "  %%r = call i32 @main.s0.t0.a0(i32 %%n, ptr %%v)\n"
    "  ret i32 %%r\n"
    "}\n"
    "define internal i32 @main.s0.t0.a0(i32 %%n, ptr %%v) \"specialize-clone\" {\n"
    "entry:\n"
    "  %%slot = alloca i32\n"
    "  %%l = call i32 @rt_enf_pthread_mutex_lock(ptr @specialize.s0.t0.0, ptr @mutex)\n"
    "  store i32 %%l, ptr %%slot\n"
    "  %%free = call i32 @rt_enf_is_free(i32 0)\n"
    "  %%not = icmp eq i32 %%free, 0\n"
    "  br i1 %%not, label %%on, label %%off\n"
    "on:\n"
    "  %%few = icmp eq i32 %%n, 1\n"
    "  br i1 %%few, label %%go, label %%diverged\n"
    "go:\n"
    "  %%u = call i32 @rt_enf_pthread_mutex_unlock(ptr @specialize.s0.t0.1, ptr @mutex)\n"
    "  ret i32 0\n"
    "off:\n"
    "  call void @rt_enf_leave(ptr null)\n"
    "  br label %%generic\n"
    "diverged:\n"
    "  call void @rt_enf_leave(ptr @edge)\n"
    "  br label %%%s\n"
    "generic:\n"
    "  %%old = load i32, ptr %%slot\n"
    "  store i32 %%old, ptr @seen\n"
    "  %%g = call i32 @%s)\n"
    "  br label %%end\n"
    "end:\n"
    "  ret i32 %%old\n"
    "}\n";

static LLVMModuleRef module(LLVMContextRef c, const char *to, const char *call) {
  char text[4000];
  snprintf(text, sizeof text, ir, to, call);
  return parse(c, text);
}

static void check(LLVMContextRef c, const char *to, const char *call, const char *wrong) {
  Diags *d = diags_new();
  LLVMModuleRef m = module(c, to, call);
  assert(cfspec_check(m, d) == !wrong);
  bool said = false;
  for (size_t i = 0; wrong && i < diags_count(d); ++i) said |= strstr(diags_at(d, i)->text, wrong) != NULL;
  assert(wrong ? said : !diags_count(d));
  LLVMDisposeModule(m);
  diags_free(d);
}

static size_t calls_of(LLVMModuleRef m, const char *name) {
  size_t n = 0;
  LLVMValueRef f = LLVMGetNamedFunction(m, name);
  if (f)
    for (all_uses(u, f)) ++n;
  return n;
}

// The guards are the end; nothing of generic code is left, nor what only that reached.
static void view(LLVMContextRef c) {
  Diags *d = diags_new();
  LLVMModuleRef m = module(c, "generic", "pthread_mutex_unlock(ptr @mutex");
  assert(cfspec_view(m, 0, false, d) && !diags_count(d));
  assert(calls_of(m, "pthread_mutex_lock") == 1 && calls_of(m, "pthread_mutex_unlock") == 1);
  assert(calls_of(m, "rt_enf_leave") == 2 && !calls_of(m, "rt_enf_is_free"));
  LLVMValueRef main = LLVMGetNamedFunction(m, "main");
  size_t blocks = 0, returns = 0;
  for (all_blocks(b, main)) ++blocks, returns += LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b)) != NULL;
  assert(blocks == 5 && returns == 1);
  LLVMValueRef seen = LLVMGetNamedGlobal(m, "seen");
  assert(!seen || !LLVMGetFirstUse(seen));
  LLVMDisposeModule(m);
  diags_free(d);
}

int main(void) {
  LLVMContextRef c = LLVMContextCreate();
  check(c, "generic", "pthread_mutex_unlock(ptr @mutex", NULL);
  check(c, "generic", "rt_enf_pthread_mutex_lock(ptr @specialize.s0.t0.0, ptr @mutex", "in the code twice");
  check(c, "go", "pthread_mutex_unlock(ptr @mutex", "comes to an event");
  check(c, "on", "pthread_mutex_unlock(ptr @mutex", "comes to an event");
  view(c);
  LLVMContextDispose(c);
  return 0;
}

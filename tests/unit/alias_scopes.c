// What the optimizer is told: that two instructions never touch a common byte, by their metadata alone.
#undef NDEBUG
#include "alias/alias.h"
#include "parse.h"

static const char ir[] =
    "@shared = internal global i64 0\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "declare i32 @pthread_once(ptr, ptr)\n"
    "declare ptr @malloc(i64)\n"
    "define internal void @first() {\n"
    "  ret void\n"
    "}\n"
    "define internal ptr @worker(ptr %arg) {\n"
    "  %once = call i32 @pthread_once(ptr %arg, ptr @first)\n"
    "  store i64 1, ptr @shared\n"
    "  ret ptr null\n"
    "}\n"
    "define internal void @takes(ptr byval(i64) %copy) {\n"
    "  ret void\n"
    "}\n"
    "define i32 @main() {\n"
    "  %t = alloca i64\n"
    "  %mutex = call ptr @malloc(i64 40)\n"
    "  %own = call ptr @malloc(i64 8)\n"
    "  %other = call ptr @malloc(i64 8)\n"
    "  %flag = call ptr @malloc(i64 4)\n"
    "  store i32 0, ptr %mutex\n"
    "  store i32 0, ptr %flag\n"
    "  store i64 2, ptr %own\n"
    "  store i64 2, ptr %other\n"
    "  store i64 2, ptr @shared\n"
    "  %create = call i32 @pthread_create(ptr %t, ptr null, ptr @worker, ptr %flag)\n"
    "  %lock = call i32 @pthread_mutex_lock(ptr %mutex)\n"
    "  call void @takes(ptr byval(i64) %own)\n"
    "  %back = load i64, ptr %own\n"
    "  ret i32 0\n"
    "}\n";

typedef struct {
  LLVMModuleRef m;
  LLVMContextRef c;
} Test;

static LLVMValueRef local(const Test *t, const char *name) {
  return local_of(t->m, "main", name);
}

static LLVMValueRef store_to(const Test *t, LLVMValueRef pointer) {
  for (all_blocks(b, LLVMGetNamedFunction(t->m, "main")))
    for (all_insts(i, b))
      if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == pointer) return i;
  assert(false);
}

typedef Vec(LLVMValueRef) Values;
static Values list_of(const Test *t, LLVMValueRef inst, const char *kind) {
  Values v = {0};
  LLVMValueRef node = LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(t->c, kind, (unsigned)strlen(kind)));
  for (unsigned i = 0, n = node ? LLVMGetMDNodeNumOperands(node) : 0; i < n; ++i) vec_push(&v, NULL);
  if (node) LLVMGetMDNodeOperands(node, v.at);
  return v;
}

// As LLVM's scoped-noalias-aa asks.
static bool one_way(const Test *t, LLVMValueRef x, LLVMValueRef y) {
  Values in = list_of(t, x, "alias.scope"), out = list_of(t, y, "noalias");
  bool all = in.len != 0;
  for (vec_each(i, &in)) {
    bool there = false;
    for (vec_each(k, &out)) there |= in.at[i] == out.at[k];
    all &= there;
  }
  vec_free(&in), vec_free(&out);
  return all;
}

static bool apart(const Test *t, LLVMValueRef x, LLVMValueRef y) {
  return one_way(t, x, y) || one_way(t, y, x);
}

static void test(const Test *t) {
  LLVMValueRef own = store_to(t, local(t, "own")), other = store_to(t, local(t, "other"));
  LLVMValueRef create = local(t, "create"), lock = local(t, "lock"), back = local(t, "back");
  assert(apart(t, own, other) && apart(t, back, other) && !apart(t, back, own));
  // The caller makes the copy of what is passed by value.
  LLVMValueRef takes = LLVMGetPreviousInstruction(back);
  assert(!apart(t, own, takes) && apart(t, other, takes));
  // What only this thread has stays as it is over an operation; what another may write does not.
  assert(apart(t, own, lock) && apart(t, back, lock));
  assert(!apart(t, store_to(t, LLVMGetNamedGlobal(t->m, "shared")), lock));
  // No summary says that the library writes a mutex or a flag: an object of its own that the program begins
  // by writing it. It must not be written later than it is used, here or in the thread that is made.
  assert(!apart(t, store_to(t, local(t, "mutex")), lock));
  assert(!apart(t, store_to(t, local(t, "flag")), create));
  assert(!apart(t, store_to(t, local(t, "flag")), lock));
}

int main(void) {
  Test t = {.c = LLVMContextCreate()};
  t.m = parse(t.c, ir);
  Alias *a = alias_new(t.m, NULL, NULL);
  LLVMValueRef functions[] = {LLVMGetNamedFunction(t.m, "main"), LLVMGetNamedFunction(t.m, "worker")};
  assert(alias_emit_scopes(a, functions, 2, "test") > 0);
  alias_free(a);
  test(&t);
  LLVMDisposeModule(t.m);
  LLVMContextDispose(t.c);
  return 0;
}

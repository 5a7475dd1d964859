// What alias.h answers beside points-to sets: the question itself with its layers, mod/ref, threads.
#undef NDEBUG
#include "alias/alias.h"
#include "parse.h"

static const char ir[] =
    "@pair = global { i64, i64 } zeroinitializer\n"
    "@shared = global i64 0\n"
    "@mine = global i64 0\n"
    "@own = internal thread_local global i64 0\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare ptr @malloc(i64)\n"
    "define internal ptr @worker(ptr %arg) {\n"
    "  store i64 1, ptr @shared\n"
    "  store i64 1, ptr %arg\n"
    "  ret ptr null\n"
    "}\n"
    "define internal void @reads() {\n"
    "  %x = load i64, ptr @mine\n"
    "  ret void\n"
    "}\n"
    "define i32 @main() {\n"
    "  %t = alloca i64\n"
    "  %given = call ptr @malloc(i64 8)\n"
    "  %kept = call ptr @malloc(i64 8)\n"
    "  %c = call i32 @pthread_create(ptr %t, ptr null, ptr @worker, ptr %given)\n"
    "  %y = load i64, ptr @shared\n"
    "  store i64 2, ptr %kept\n"
    "  store i64 2, ptr @mine\n"
    "  store i64 2, ptr @own\n"
    "  call void @reads()\n"
    "  ret i32 0\n"
    "}\n";

typedef struct {
  LLVMModuleRef m;
  Alias *a;
} Test;

static LLVMValueRef global(const Test *t, const char *name) {
  LLVMValueRef v = LLVMGetNamedGlobal(t->m, name);
  return v ? v : LLVMGetNamedFunction(t->m, name);
}

static LLVMValueRef local(const Test *t, const char *name) {
  return local_of(t->m, "main", name);
}

static uint32_t object(const Test *t, LLVMValueRef value) {
  for (uint32_t o = 0; o < alias_count(t->a); ++o)
    if (alias_object(t->a, o).value == value) return o;
  assert(false);
}

static AliasAnswer ask(const Test *t, LLVMValueRef x, int64_t n, LLVMValueRef y, int64_t k) {
  AliasAnswer one = alias_query(t->a, x, n, NULL, y, k, NULL);
  assert(one == alias_query(t->a, y, k, NULL, x, n, NULL));
  return one;
}

static void test_query(const Test *t) {
  LLVMValueRef arg = LLVMGetParam(global(t, "worker"), 0);
  assert(ask(t, global(t, "shared"), 8, global(t, "shared"), 8) == ALIAS_MUST);
  assert(ask(t, global(t, "shared"), 8, global(t, "mine"), 8) == ALIAS_NO);
  assert(ask(t, local(t, "given"), 8, local(t, "kept"), 8) == ALIAS_NO);
  assert(ask(t, local(t, "given"), 8, arg, 8) != ALIAS_NO);
  assert(ask(t, local(t, "kept"), 8, arg, 8) == ALIAS_NO);
  // A variable of each thread is another one in another thread.
  Context one = {.segment.thread = 0}, two = {.segment.thread = 1};
  LLVMValueRef own = global(t, "own");
  assert(alias_query(t->a, own, 8, &one, own, 8, &two) == ALIAS_NO);
  assert(alias_query(t->a, own, 8, &one, own, 8, &one) != ALIAS_NO);
}

static AliasAnswer never(void *self, LLVMValueRef x, int64_t n, const Context *cx, LLVMValueRef y, int64_t k,
                         const Context *cy) {
  (void)x, (void)n, (void)cx, (void)y, (void)k, (void)cy;
  ++*(int *)self;
  return ALIAS_NO;
}

// A layer is asked only what the ones before it could not tell.
static void test_layers(const Test *t) {
  int asked = 0;
  LLVMValueRef own = global(t, "own");
  assert(ask(t, own, 8, own, 8) == ALIAS_MAY);
  alias_add_layer(t->a, (AliasLayer){"never", &asked, never});
  assert(ask(t, own, 8, own, 8) == ALIAS_NO && asked == 2);
  assert(ask(t, global(t, "shared"), 8, global(t, "shared"), 8) == ALIAS_MUST && asked == 2);
  assert(ask(t, global(t, "shared"), 8, global(t, "mine"), 8) == ALIAS_NO && asked == 2);
}

static void test_modref(const Test *t) {
  LLVMValueRef main = global(t, "main"), reads = global(t, "reads"), worker = global(t, "worker");
  uint32_t mine = object(t, global(t, "mine")), shared = object(t, global(t, "shared"));
  assert(alias_modref(t->a, reads, mine) == ALIAS_READS && !alias_modref(t->a, reads, shared));
  assert(alias_modref(t->a, main, mine) == (ALIAS_READS | ALIAS_WRITES));
  assert(alias_modref(t->a, main, shared) == ALIAS_READS);  // the thread that it starts is another matter
  assert(alias_modref(t->a, worker, shared) == ALIAS_WRITES);
  assert(alias_modref(t->a, worker, object(t, local(t, "given"))) == ALIAS_WRITES);
}

static void test_threads(const Test *t) {
  uint32_t worker = 0;
  for (uint32_t i = 1; i < alias_threads(t->a); ++i)
    if (alias_thread(t->a, i).start == global(t, "worker")) worker = i;
  assert(worker && alias_thread(t->a, worker).create == local(t, "c") && !alias_thread(t->a, worker).many);
  assert(alias_thread_runs(t->a, worker, global(t, "worker")));
  assert(!alias_thread_runs(t->a, worker, global(t, "reads")));
  assert(alias_thread_runs(t->a, 0, global(t, "reads")));
  uint32_t shared = object(t, global(t, "shared")), mine = object(t, global(t, "mine"));
  assert(alias_shared(t->a, shared) && !alias_shared(t->a, mine));
  assert(alias_thread_touches(t->a, worker, shared) && !alias_thread_touches(t->a, worker, mine));
  assert(alias_published(t->a, object(t, local(t, "given"))));
  assert(!alias_published(t->a, object(t, local(t, "kept"))));
}

int main(void) {
  LLVMContextRef c = LLVMContextCreate();
  Test t = {.m = parse(c, ir)};
  t.a = alias_new(t.m, NULL, NULL);
  test_query(&t);
  test_modref(&t);
  test_threads(&t);
  test_layers(&t);
  alias_free(t.a);
  LLVMDisposeModule(t.m);
  LLVMContextDispose(c);
  return 0;
}

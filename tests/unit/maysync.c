// Which call sites are in a schedule.
#undef NDEBUG
#include "calls.h"

static const char ir[] =
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare i32 @pthread_mutex_init(ptr, ptr)\n"
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "declare i32 @pthread_cond_wait(ptr, ptr)\n"
    "declare i32 @pthread_once(ptr, ptr)\n"
    "declare i32 @atexit(ptr)\n"
    "declare void @exit(i32)\n"
    "declare void @qsort(ptr, i64, i64, ptr)\n"
    "declare i64 @syscall(i64, ...)\n"
    "declare void @library(ptr)\n"
    "declare i32 @puts(ptr)\n"
    "define i32 @sem_post(ptr %s) { ret i32 0 }\n"  // the program's own
    "define internal ptr @worker(ptr %m) {\n"
    "  call i32 @pthread_mutex_lock(ptr %m)\n"
    "  ret ptr null\n"
    "}\n"
    "define internal void @init() { call void @quiet(ptr null) ret void }\n"
    "define internal void @first() { call ptr @worker(ptr null) ret void }\n"
    "define internal i32 @less(ptr %a, ptr %b) {\n"
    "  call i32 @pthread_cond_wait(ptr %a, ptr %b)\n"
    "  ret i32 0\n"
    "}\n"
    "define void @quiet(ptr %m) {\n"
    "  call i32 @pthread_mutex_init(ptr %m, ptr null)\n"
    "  call i32 @sem_post(ptr %m)\n"
    "  call i32 @puts(ptr %m)\n"
    "  call i64 (i64, ...) @syscall(i64 39)\n"
    "  ret void\n"
    "}\n"
    "define void @pi(ptr %m) {\n"
    "  call i64 (i64, ...) @syscall(i64 202, ptr %m, i32 6)\n"
    "  ret void\n"
    "}\n"
    "define void @f(ptr %m, ptr %p) {\n"
    "  call void @quiet(ptr %m)\n"
    "  call i32 @pthread_create(ptr %m, ptr null, ptr @worker, ptr null)\n"
    "  call ptr @worker(ptr %m)\n"
    "  call i32 @pthread_once(ptr %m, ptr @init)\n"
    "  call i32 @pthread_once(ptr %m, ptr @first)\n"
    "  call i32 @atexit(ptr @first)\n"
    "  call void @exit(i32 1)\n"
    "  call void @qsort(ptr %m, i64 1, i64 1, ptr @less)\n"
    "  call void @pi(ptr %m)\n"
    "  call i32 %p(ptr %m)\n"
    "  call i32 @puts(ptr %m)\n"
    "  ret void\n"
    "}\n";

// In this one a library is used that could call what is stored where it may see it.
static const char unknown[] =
    "define void @g(ptr %m) {\n"
    "  store ptr @worker, ptr %m\n"
    "  call void @library(ptr %m)\n"
    "  call void @library(ptr %m)\n"
    "  call i32 @puts(ptr %m)\n"
    "  call i32 %m(ptr %m)\n"
    "  call double %m(double 1.0)\n"
    "  ret void\n"
    "}\n"
    "define void @h(ptr %m) {\n"
    "  call void @library(ptr @worker)\n"
    "  call void @library(ptr %m)\n"
    "  ret void\n"
    "}\n";

// e: an event, d: derived, a: assumed; each letter of a word is a site of the function, - nothing, b both e
// and d.
static void expect(const Calls *c, const char *function, const char *want) {
  uint32_t first, count = sites_of(c->sites, LLVMGetNamedFunction(c->module, function), &first);
  assert(count == strlen(want));
  for (uint32_t i = 0; i < count; ++i) {
    bool e = maysync_event(c->may, first + i), d = maysync_derived(c->may, first + i);
    char seen = e && d ? 'b' : e ? 'e' : d ? 'd' : maysync_assumes(c->may, first + i) ? 'a' : '-';
    if (seen != want[i]) fprintf(stderr, "%s#%u: %c\n", function, i, seen);
    assert(seen == want[i]);
  }
}

static bool may(const Calls *c, const char *function) {
  return maysync_function(c->may, calls_function(c, function));
}

static void test_known(void) {
  Calls c = calls_of(ir);
  expect(&c, "f", "-edeb-ddd--");
  expect(&c, "quiet", "----");
  expect(&c, "pi", "e");
  expect(&c, "less", "e");
  expect(&c, "first", "d");
  assert(may(&c, "worker") && may(&c, "pi") && may(&c, "f") && may(&c, "exit") && !may(&c, "quiet") &&
         !may(&c, "init"));
  assert(may(&c, "pthread_mutex_lock") && !may(&c, "pthread_mutex_init") && !may(&c, "sem_post") &&
         !may(&c, "qsort"));
  uint32_t first;
  sites_of(c.sites, LLVMGetNamedFunction(c.module, "quiet"), &first);
  assert(maysync_operation(c.may, first)->kind == SYNC_INIT && !maysync_operation(c.may, first + 1));
  Diags *d = diags_new();
  maysync_report(c.may, true, d);
  assert(!diags_count(d));
  diags_free(d);
  calls_free(&c);
}

static void test_unknown(void) {
  char *text = mem_format("%s%s", ir, unknown);
  Calls c = calls_of(text);
  // As soon as worker is handed to one unknown function, all of them may call it.
  expect(&c, "g", "dd-dd");
  expect(&c, "h", "dd");
  calls_free(&c);
  *strstr(text, "define void @h") = 0;
  c = calls_of(text);
  expect(&c, "g", "aa-da");
  Diags *d = diags_new();
  maysync_report(c.may, true, d);
  assert(diags_count(d) == 2 && diags_at(d, 0)->kind == DIAG_WARNING &&
         strstr(diags_at(d, 0)->text, "unknown function library"));
  assert(strstr(diags_at(d, 1)->text, "for example worker"));
  diags_free(d);
  d = diags_new();
  maysync_report(c.may, false, d);  // one is named, several are counted
  assert(diags_count(d) == 2 && strstr(diags_at(d, 0)->text, "unknown function library"));
  diags_free(d);
  calls_free(&c);
  mem_free(text);
}

int main(void) {
  test_known();
  test_unknown();
  return 0;
}

// The table of synchronization operations against the libraries of this machine, and as calls.
#undef NDEBUG
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include "exports.h"
#include "parse.h"

// What glibc exports beside the table, and why it is not there: it makes no thread wait for another, or
// or touches only attributes, scheduling hints or signals. Callbacks (atfork, keys) are the call graph's
// business.
static const char *const not_sync[] = {"__pthread_cleanup_routine",
                                       "__pthread_get_minstack",
                                       "__pthread_key_create",
                                       "__pthread_register_cancel",
                                       "__pthread_register_cancel_defer",
                                       "__pthread_unregister_cancel",
                                       "__pthread_unregister_cancel_restore",
                                       "__pthread_unwind_next",
                                       "_pthread_cleanup_pop",
                                       "_pthread_cleanup_push",
                                       "pthread_atfork",
                                       "pthread_attr_destroy",
                                       "pthread_attr_getaffinity_np",
                                       "pthread_attr_getdetachstate",
                                       "pthread_attr_getguardsize",
                                       "pthread_attr_getinheritsched",
                                       "pthread_attr_getschedparam",
                                       "pthread_attr_getschedpolicy",
                                       "pthread_attr_getscope",
                                       "pthread_attr_getsigmask_np",
                                       "pthread_attr_getstack",
                                       "pthread_attr_getstackaddr",
                                       "pthread_attr_getstacksize",
                                       "pthread_attr_init",
                                       "pthread_attr_setaffinity_np",
                                       "pthread_attr_setdetachstate",
                                       "pthread_attr_setguardsize",
                                       "pthread_attr_setinheritsched",
                                       "pthread_attr_setschedparam",
                                       "pthread_attr_setschedpolicy",
                                       "pthread_attr_setscope",
                                       "pthread_attr_setsigmask_np",
                                       "pthread_attr_setstack",
                                       "pthread_attr_setstackaddr",
                                       "pthread_attr_setstacksize",
                                       "pthread_barrierattr_destroy",
                                       "pthread_barrierattr_getpshared",
                                       "pthread_barrierattr_init",
                                       "pthread_barrierattr_setpshared",
                                       "pthread_condattr_destroy",
                                       "pthread_condattr_getclock",
                                       "pthread_condattr_getpshared",
                                       "pthread_condattr_init",
                                       "pthread_condattr_setclock",
                                       "pthread_condattr_setpshared",
                                       "pthread_equal",
                                       "pthread_getaffinity_np",
                                       "pthread_getattr_default_np",
                                       "pthread_getattr_np",
                                       "pthread_getconcurrency",
                                       "pthread_getcpuclockid",
                                       "pthread_getname_np",
                                       "pthread_getschedparam",
                                       "pthread_getspecific",
                                       "pthread_key_create",
                                       "pthread_key_delete",
                                       "pthread_kill",
                                       "pthread_kill_other_threads_np",
                                       "pthread_mutex_consistent",
                                       "pthread_mutex_consistent_np",
                                       "pthread_mutex_getprioceiling",
                                       "pthread_mutexattr_destroy",
                                       "pthread_mutexattr_getkind_np",
                                       "pthread_mutexattr_getprioceiling",
                                       "pthread_mutexattr_getprotocol",
                                       "pthread_mutexattr_getpshared",
                                       "pthread_mutexattr_getrobust",
                                       "pthread_mutexattr_getrobust_np",
                                       "pthread_mutexattr_gettype",
                                       "pthread_mutexattr_init",
                                       "pthread_mutexattr_setkind_np",
                                       "pthread_mutexattr_setprioceiling",
                                       "pthread_mutexattr_setprotocol",
                                       "pthread_mutexattr_setpshared",
                                       "pthread_mutexattr_setrobust",
                                       "pthread_mutexattr_setrobust_np",
                                       "pthread_mutexattr_settype",
                                       "pthread_rwlockattr_destroy",
                                       "pthread_rwlockattr_getkind_np",
                                       "pthread_rwlockattr_getpshared",
                                       "pthread_rwlockattr_init",
                                       "pthread_rwlockattr_setkind_np",
                                       "pthread_rwlockattr_setpshared",
                                       "pthread_self",
                                       "pthread_setaffinity_np",
                                       "pthread_setattr_default_np",
                                       "pthread_setconcurrency",
                                       "pthread_setname_np",
                                       "pthread_setschedparam",
                                       "pthread_setschedprio",
                                       "pthread_setspecific",
                                       "pthread_sigmask",
                                       "pthread_sigqueue",
                                       "pthread_yield",
                                       "sem_getvalue",
                                       "sem_unlink",
                                       "thrd_current",
                                       "thrd_equal",
                                       "thrd_sleep",
                                       "thrd_yield",
                                       "tss_create",
                                       "tss_delete",
                                       "tss_get",
                                       "tss_set"};

static void test_homes(const Intern *libc, const Intern *libstdcxx) {
  for (size_t i = 0; i < sync_count(); ++i) {
    const Sync *s = sync_at(i);
    if (s->home == SYNC_IN_LIBC) assert(exports_have(libc, s->name));
    if (s->home == SYNC_IN_LIBSTDCXX) assert(exports_have(libstdcxx, s->name));
    assert(i == 0 || strcmp(sync_at(i - 1)->name, s->name) < 0);
    assert(sync_find(s->name) == (s->home == SYNC_IN_KERNEL ? NULL : s));
  }
}

static bool of_threads(const char *name) {
  static const char *const prefixes[] = {"__pthread_", "_pthread_", "pthread_", "sem_",     "mtx_",
                                         "cnd_",       "thrd_",     "tss_",     "call_once"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

// No third possibility: what glibc exports for threads is in the table or in the list above, and not in both.
static void test_complete(const Intern *libc) {
  unsigned missing = 0;
  Intern *rest = intern_new();
  for (size_t i = 0; i < sizeof not_sync / sizeof *not_sync; ++i) {
    assert(!sync_find(not_sync[i]));
    intern_id(rest, not_sync[i], strlen(not_sync[i]));
  }
  for (uint32_t i = 0; i < intern_count(libc); ++i) {
    const char *name = intern_text(libc, i);
    if (!of_threads(name) || sync_find(name) || exports_have(rest, name)) continue;
    fprintf(stderr, "neither a sync operation nor known to be none: %s\n", name);
    missing++;
  }
  assert(!missing);
  intern_free(rest);
}

static void test_rows(void) {
  for (size_t i = 0; i < sync_count(); ++i) {
    const Sync *s = sync_at(i);
    SyncArg all[] = {s->object, s->mutex, s->id, s->start, s->argument, s->value};
    for (size_t k = 0; k < 6; ++k) assert(all[k].place == SYNC_ABSENT || all[k].arg < s->args + !s->args);
    assert((s->kind == SYNC_CREATE) == (s->id.place != SYNC_ABSENT));
    assert((s->kind == SYNC_WAIT) == (s->mutex.place != SYNC_ABSENT) || s->kind == SYNC_UNMODELLED);
    assert(sync_events(s->kind) != 2 || s->kind == SYNC_WAIT || s->kind == SYNC_BARRIER);
    assert((s->outcomes & SYNC_OK) && (s->waiting != SYNC_TIMED || (s->outcomes & SYNC_TIMEDOUT)));
    assert(s->waiting != SYNC_TRY || (s->outcomes & (SYNC_BUSY | SYNC_AGAIN)));
  }
  for (unsigned k = 0; k < SYNC_KINDS; ++k)
    for (unsigned j = 0; j < k; ++j) assert(strcmp(sync_word(k), sync_word(j)));
}

static void expect(const char *name, SyncOutcome outcome, long result, int error) {
  const Sync *s = sync_find(name);
  SyncOutcome seen;
  long r;
  int e;
  assert(sync_outcome_of(s, result, error, &seen) && seen == outcome);
  assert(sync_result_of(s, outcome, &r, &e) && r == result && e == error);
}

static void test_outcomes(void) {
  expect("pthread_mutex_trylock", SYNC_BUSY, EBUSY, 0);
  expect("pthread_mutex_lock", SYNC_OWNERDEAD, EOWNERDEAD, 0);
  expect("pthread_barrier_wait", SYNC_SERIAL, PTHREAD_BARRIER_SERIAL_THREAD, 0);
  expect("pthread_cond_timedwait", SYNC_TIMEDOUT, ETIMEDOUT, 0);
  expect("sem_trywait", SYNC_AGAIN, -1, EAGAIN);
  expect("sem_wait", SYNC_OK, 0, 0);
  expect("mtx_trylock", SYNC_BUSY, thrd_busy, 0);
  expect("cnd_timedwait", SYNC_TIMEDOUT, thrd_timedout, 0);
  expect("thrd_create", SYNC_NOMEM, thrd_nomem, 0);
  expect("__cxa_guard_acquire", SYNC_RAN, 1, 0);
  expect("__cxa_guard_acquire", SYNC_OK, 0, 0);
  SyncOutcome o;
  long r;
  int e;
  assert(sync_outcome_of(sync_find("pthread_mutex_lock"), 9999, 0, &o) && o == SYNC_FAILED);
  assert(!sync_outcome_of(sync_find("pthread_exit"), 0, 0, &o));
  assert(!sync_result_of(sync_find("pthread_mutex_lock"), SYNC_BUSY, &r, &e));
  assert(!sync_result_of(sync_find("sem_open"), SYNC_OK, &r, &e));
  assert(!strcmp(sync_outcome_word(SYNC_TIMEDOUT), "timedout"));
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
static const char ir[] =
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "declare extern_weak i32 @pthread_once(ptr, ptr)\n"
    "declare i32 @\"\\01pthread_mutex_unlock\"(ptr)\n"
    "declare i64 @syscall(i64, ...)\n"
    "declare i32 @sem_post(ptr, ptr, ptr)\n"
    "define i32 @pthread_mutex_trylock(ptr %m) { ret i32 0 }\n"
    "@alias = alias i32 (ptr), ptr @own\n"
    "define i32 @own(ptr %m) { ret i32 0 }\n"
    "define void @f(ptr %m, ptr %p, i64 %n, i32 %op) {\n"
    "  call i32 @pthread_mutex_lock(ptr %m)\n"
    "  call void @pthread_mutex_lock(ptr %m, i32 0)\n"
    "  call void @pthread_mutex_lock()\n"
    "  call i32 @pthread_once(ptr %m, ptr @f)\n"
    "  call i32 @\"\\01pthread_mutex_unlock\"(ptr %m)\n"
    "  call i32 %p(ptr %m)\n"
    "  call void asm sideeffect \"\", \"\"()\n"
    "  call i32 @pthread_mutex_trylock(ptr %m)\n"
    "  call i32 @alias(ptr %m)\n"
    "  call i64 (i64, ...) @syscall(i64 " TEXT(SYS_futex) ", ptr %m, i32 128, i32 0)\n"
    "  call i64 (i64, ...) @syscall(i64 " TEXT(SYS_futex) ", ptr %m, i32 129, i32 1)\n"
    "  call i64 (i64, ...) @syscall(i64 " TEXT(SYS_futex) ", ptr %m, i32 %op, i32 1)\n"
    "  call i64 (i64, ...) @syscall(i64 39)\n"
    "  call i64 (i64, ...) @syscall(i64 %n)\n"
    "  ret void\n"
    "}\n";

static void test_calls(void) {
  static const char *const want[] = {"lock", "lock", NULL,         "once",       "unlock",     NULL, NULL,
                                     NULL,   NULL,   "futex-wait", "futex-wake", "unmodelled", NULL, NULL};
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = parse(c, ir);
  LLVMValueRef f = LLVMGetNamedFunction(m, "f");
  size_t at = 0;
  for (all_insts(i, LLVMGetEntryBasicBlock(f))) {
    if (!call_is(i)) continue;
    const Sync *s = sync_of_call(i);
    assert(want[at] ? s && !strcmp(sync_word(s->kind), want[at]) : !s);
    if (s && s->kind != SYNC_ONCE) assert(sync_operand(i, s->object) == LLVMGetParam(f, 0));
    if (s && s->kind == SYNC_ONCE) assert(sync_operand(i, s->start) == f && !sync_operand(i, s->mutex));
    assert(call_is_asm(i) == (at == 6));
    if (at == 8) assert(call_function(i) == LLVMGetNamedFunction(m, "own"));
    ++at;
  }
  assert(at == sizeof want / sizeof *want);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
}

int main(void) {
  Intern *libc = exports_new("libc.so.6", "pthread_create");
  Intern *libstdcxx = exports_new("libstdc++.so.6", "_ZNSt6thread4joinEv");
  test_homes(libc, libstdcxx);
  test_complete(libc);
  test_rows();
  test_outcomes();
  test_calls();
  intern_free(libc);
  intern_free(libstdcxx);
  return 0;
}

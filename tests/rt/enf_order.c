// Enforcement, operation by operation: programs that follow their schedule, whatever the machine does.
#include <poll.h>
#include "kit.h"
#include <sys/wait.h>

static char trace[64];
static _Atomic uint32_t traced;
static void mark(char c) {
  trace[traced++] = c;
}
static void traced_is(const char *wanted) {
  if (strcmp(trace, wanted)) fprintf(stderr, "order %s, wanted %s\n", trace, wanted);
  assert(!strcmp(trace, wanted));
}
static void nap(int ms) {
  poll(NULL, 0, ms);
}

// t1 takes m first, though t0 is there long before it.
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static RtNode *e[64];
static void *lock_late(void *p) {
  nap(30);
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
  mark('b');
  ok(rt_enf_pthread_mutex_unlock(e[3], &m));
  return p;
}
static void lock_order(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "lock_late", e[0]);
  e[2] = EV(1, "lock", o, NULL);
  e[3] = EV(1, "unlock", o, NULL);
  RtNode *x = kit_exit(1, NULL);
  e[4] = EV(0, "lock", o, e[3]);
  e[5] = EV(0, "unlock", o, NULL);
  e[6] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  kit_begin(false, 0);
  pthread_t t;
  void *result;
  ok(rt_enf_pthread_create(e[0], &t, NULL, lock_late, trace));
  ok(rt_enf_pthread_mutex_lock(e[4], &m));
  mark('a');
  ok(rt_enf_pthread_mutex_unlock(e[5], &m));
  ok(rt_enf_pthread_join(e[6], t, &result));
  assert(result == trace);
  traced_is("ba");
}

// A wait that is woken, one that times out, one for nothing; the signal comes from t1.
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *signaller(void *p) {
  nap(20);
  ok(rt_enf_pthread_mutex_lock(e[3], &m));
  mark('s');
  ok(rt_enf_pthread_cond_signal(e[4], &c));
  ok(rt_enf_pthread_mutex_unlock(e[5], &m));
  return p;
}
static void conditions(void) {
  uint32_t om = kit_object(RT_MUTEX, "m0", 0), oc = kit_object(RT_COND, "c0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "signaller", e[0]);
  e[1] = EV(0, "lock", om, NULL);
  e[2] = kit_event(0, "wait-arrive", oc, (Kit){.mutex = om}, NULL);
  e[3] = EV(1, "lock", om, e[2]);
  e[4] = EV(1, "signal", oc, NULL);
  e[5] = EV(1, "unlock", om, NULL);
  e[2]->depart = kit_event(0, "wait-depart", oc, (Kit){.mutex = om}, AFTER(e[5]));
  e[6] = kit_wait(0, oc, om, ETIMEDOUT, NULL, NULL);
  e[7] = kit_wait(0, oc, om, RT_ENF_SPURIOUS, NULL, NULL);
  e[8] = EV(0, "unlock", om, NULL);
  RtNode *x = kit_exit(1, NULL);
  e[9] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, signaller, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  ok(rt_enf_pthread_cond_wait(e[2], &c, &m));
  mark('w');
  assert(pthread_mutex_trylock(&m) == EBUSY);
  struct timespec until = kit_ahead(CLOCK_REALTIME, 50), now;
  assert(rt_enf_pthread_cond_timedwait(e[6], &c, &m, &until) == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &now);
  assert(now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
  ok(rt_enf_pthread_cond_wait(e[7], &c, &m));
  ok(rt_enf_pthread_mutex_unlock(e[8], &m));
  ok(rt_enf_pthread_join(e[9], t, NULL));
  traced_is("sw");
}

// t1 tries a lock while t0 holds it, and t0 gives it back only then; the same with a time limit.
static void *tries(void *p) {
  nap(20);
  assert(rt_enf_pthread_mutex_trylock(e[2], &m) == EBUSY);
  struct timespec until = kit_ahead(CLOCK_REALTIME, 30);
  assert(rt_enf_pthread_mutex_timedlock(e[3], &m, &until) == ETIMEDOUT);
  ok(rt_enf_pthread_mutex_trylock(e[4], &m));
  ok(rt_enf_pthread_mutex_unlock(e[5], &m));
  return p;
}
static void try_locks(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "tries", e[0]);
  e[1] = EV(0, "lock", o, NULL);
  e[2] = EVO(1, "lock = busy", o, EBUSY, e[1]);
  e[3] = EVO(1, "lock = timedout", o, ETIMEDOUT, NULL);
  e[6] = EV(0, "unlock", o, e[3]);
  e[4] = EV(1, "lock", o, e[6]);
  e[5] = EV(1, "unlock", o, NULL);
  RtNode *x = kit_exit(1, NULL);
  e[7] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, tries, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  ok(rt_enf_pthread_mutex_unlock(e[6], &m));
  ok(rt_enf_pthread_join(e[7], t, NULL));
}

// Two rounds of a barrier; t1 is told to be the serial thread, then t0, whoever comes last.
static pthread_barrier_t b;
static void *meets(void *p) {
  assert(rt_enf_pthread_barrier_wait(e[3], &b) == PTHREAD_BARRIER_SERIAL_THREAD);
  nap(20);
  ok(rt_enf_pthread_barrier_wait(e[4], &b));
  return p;
}
static void barriers(void) {
  uint32_t o = kit_object(RT_BARRIER, "b0", 2);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "meets", e[0]);
  e[1] = kit_barrier(0, o, 0, 0);
  e[2] = kit_barrier(0, o, 1, RT_ENF_SERIAL);
  e[3] = kit_barrier(1, o, 0, RT_ENF_SERIAL);
  e[4] = kit_barrier(1, o, 1, 0);
  RtNode *x = kit_exit(1, NULL);
  e[5] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  ok(pthread_barrier_init(&b, NULL, 2));
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, meets, NULL));
  nap(20);
  ok(rt_enf_pthread_barrier_wait(e[1], &b));
  assert(rt_enf_pthread_barrier_wait(e[2], &b) == PTHREAD_BARRIER_SERIAL_THREAD);
  ok(rt_enf_pthread_join(e[5], t, NULL));
  ok(pthread_barrier_destroy(&b));
}

// A semaphore that is empty, then posted; a reader and a writer; a spin lock.
static sem_t s;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t q;
static void *posts(void *p) {
  nap(20);
  ok(rt_enf_sem_post(e[3], &s));
  assert(rt_enf_pthread_rwlock_trywrlock(e[4], &r) == EBUSY);
  ok(rt_enf_pthread_rwlock_rdlock(e[5], &r));
  ok(rt_enf_pthread_rwlock_unlock(e[6], &r));
  ok(rt_enf_pthread_spin_lock(e[7], &q));
  mark('q');
  ok(rt_enf_pthread_spin_unlock(e[8], &q));
  return p;
}
static void others(void) {
  uint32_t os = kit_object(RT_SEMAPHORE, "s0", 0), orw = kit_object(RT_RWLOCK, "r0", 0),
           oq = kit_object(RT_SPIN, "p0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "posts", e[0]);
  e[1] = EVO(0, "acquire = again", os, EAGAIN, NULL);
  e[2] = EVO(0, "acquire = timedout", os, ETIMEDOUT, NULL);
  e[9] = EV(0, "rdlock", orw, NULL);
  e[3] = EV(1, "post", os, e[2]);
  e[4] = EVO(1, "lock = busy", orw, EBUSY, e[9]);
  e[5] = EV(1, "rdlock", orw, NULL);
  e[6] = EV(1, "unlock", orw, NULL);
  e[7] = EV(1, "lock", oq, NULL);
  e[8] = EV(1, "unlock", oq, NULL);
  e[10] = EV(0, "acquire", os, e[3]);
  e[11] = EV(0, "unlock", orw, e[4]);
  e[12] = EV(0, "lock", orw, e[6]);
  e[13] = EV(0, "unlock", orw, NULL);
  e[14] = EV(0, "lock", oq, e[8]);
  e[15] = EV(0, "unlock", oq, NULL);
  RtNode *x = kit_exit(1, NULL);
  e[16] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  ok(sem_init(&s, 0, 0));
  ok(pthread_spin_init(&q, 0));
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, posts, NULL));
  assert(rt_enf_sem_trywait(e[1], &s) == -1 && errno == EAGAIN);
  struct timespec until = kit_ahead(CLOCK_REALTIME, 20);
  assert(rt_enf_sem_timedwait(e[2], &s, &until) == -1 && errno == ETIMEDOUT);
  ok(rt_enf_pthread_rwlock_rdlock(e[9], &r));
  ok(rt_enf_sem_wait(e[10], &s));
  ok(rt_enf_pthread_rwlock_unlock(e[11], &r));
  ok(rt_enf_pthread_rwlock_wrlock(e[12], &r));
  ok(rt_enf_pthread_rwlock_unlock(e[13], &r));
  ok(rt_enf_pthread_spin_lock(e[14], &q));
  mark('a');
  ok(rt_enf_pthread_spin_unlock(e[15], &q));
  ok(rt_enf_pthread_join(e[16], t, NULL));
  traced_is("qa");
}

// t1 runs the routine, though t0 comes first; the routine is entered from outside.
static pthread_once_t flag = PTHREAD_ONCE_INIT;
static void routine_clone(void) {
  nap(20);
  mark('1');
}
static void routine(void) {
  const void *clone = rt_enf_stub((const void *)(uintptr_t)routine);
  assert(clone == (const void *)(uintptr_t)routine_clone);
  routine_clone();
}
static void *onces(void *p) {
  nap(20);
  ok(rt_enf_pthread_once(e[2], &flag, routine));
  return p;
}
static void once(void) {
  uint32_t o = kit_object(RT_ONCE_FLAG, "o0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "onces", e[0]);
  kit_callback(1, (const void *)(uintptr_t)routine, (const void *)(uintptr_t)routine_clone);
  e[2] = EVO(1, "once = ran", o, RT_ENF_RAN, NULL);
  e[3] = EV(0, "once", o, e[2]);
  RtNode *x = kit_exit(1, NULL);
  e[4] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, onces, NULL));
  ok(rt_enf_pthread_once(e[3], &flag, routine));
  mark('0');
  ok(rt_enf_pthread_join(e[4], t, NULL));
  traced_is("10");
}

// Robust, recursive and error-checking mutexes by what they tell.
static pthread_mutex_t kinds[3];
static void *dies(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[2], &kinds[0]));
  return p;
}
static void mutex_kinds(void) {
  pthread_mutexattr_t a;
  ok(pthread_mutexattr_init(&a));
  ok(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST));
  ok(pthread_mutex_init(&kinds[0], &a));
  ok(pthread_mutexattr_init(&a));
  ok(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE));
  ok(pthread_mutex_init(&kinds[1], &a));
  ok(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK));
  ok(pthread_mutex_init(&kinds[2], &a));
  uint32_t o[3] = {kit_object(RT_MUTEX, "m0", 0), kit_object(RT_MUTEX, "m1", 0),
                   kit_object(RT_MUTEX, "m2", 0)};
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "dies", e[0]);
  e[2] = EV(1, "lock", o[0], NULL);
  RtNode *x = kit_exit(1, NULL);
  e[3] = EVO(0, "lock = ownerdead", o[0], EOWNERDEAD, x);
  e[4] = EV(0, "unlock", o[0], NULL);
  e[5] = EV(0, "lock", o[1], NULL);
  e[6] = EV(0, "lock", o[1], NULL);
  e[7] = EV(0, "unlock", o[1], NULL);
  e[8] = EV(0, "unlock", o[1], NULL);
  e[9] = EV(0, "lock", o[2], NULL);
  e[10] = EVO(0, "lock = deadlk", o[2], EDEADLK, NULL);
  e[11] = EV(0, "unlock", o[2], NULL);
  e[12] = EVO(0, "unlock = perm", o[2], EPERM, NULL);
  e[13] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, dies, NULL));
  assert(rt_enf_pthread_mutex_trylock(e[3], &kinds[0]) == EOWNERDEAD);
  ok(pthread_mutex_consistent(&kinds[0]));
  ok(rt_enf_pthread_mutex_unlock(e[4], &kinds[0]));
  ok(rt_enf_pthread_mutex_lock(e[5], &kinds[1]));
  ok(rt_enf_pthread_mutex_lock(e[6], &kinds[1]));
  ok(rt_enf_pthread_mutex_unlock(e[7], &kinds[1]));
  ok(rt_enf_pthread_mutex_unlock(e[8], &kinds[1]));
  ok(rt_enf_pthread_mutex_lock(e[9], &kinds[2]));
  assert(rt_enf_pthread_mutex_lock(e[10], &kinds[2]) == EDEADLK);
  ok(rt_enf_pthread_mutex_unlock(e[11], &kinds[2]));
  assert(rt_enf_pthread_mutex_unlock(e[12], &kinds[2]) == EPERM);
  ok(rt_enf_pthread_join(e[13], t, NULL));
}

// More threads than any word has bits, each after the one before it, started the other way round.
enum { MANY = 150 };
static RtNode *locks[MANY], *unlocks[MANY];
static uint32_t turn;
static void *one_of_many(void *p) {
  uint32_t i = (uint32_t)(uintptr_t)p;
  ok(rt_enf_pthread_mutex_lock(locks[i], &m));
  assert(turn++ == MANY - 1 - i);
  ok(rt_enf_pthread_mutex_unlock(unlocks[i], &m));
  return NULL;
}
static void many_threads(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0);
  static RtNode *creates[MANY], *joins[MANY], *exits[MANY];
  for (uint32_t i = 0; i < MANY; ++i) {
    creates[i] = EV(0, "create", i + 1, NULL);
    kit_enter(i + 1, "one_of_many", creates[i]);
  }
  for (uint32_t i = MANY; i--;) {
    locks[i] = EV(i + 1, "lock", o, i + 1 < MANY ? unlocks[i + 1] : NULL);
    unlocks[i] = EV(i + 1, "unlock", o, NULL);
    exits[i] = kit_exit(i + 1, NULL);
  }
  for (uint32_t i = 0; i < MANY; ++i) joins[i] = EV(0, "join", i + 1, exits[i]);
  kit_exit(0, NULL);
  kit_begin(false, 0);
  pthread_t t[MANY];
  for (uint32_t i = 0; i < MANY; ++i)
    ok(rt_enf_pthread_create(creates[i], &t[i], NULL, one_of_many, (void *)(uintptr_t)i));
  for (uint32_t i = 0; i < MANY; ++i) ok(rt_enf_pthread_join(joins[i], t[i], NULL));
}

// Cancelled in a wait: the mutex is held in the handlers, the departure comes before the exit.
static void unlock_cleanup(void *p) {
  (void)p;
  assert(pthread_mutex_trylock(&m) == EBUSY);
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
  mark('c');
}
static void *waits_for_ever(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
  pthread_cleanup_push(unlock_cleanup, NULL);
  rt_enf_pthread_cond_wait(e[3], &c, &m);
  pthread_cleanup_pop(0);
  return p;
}
static void cancellation(void) {
  uint32_t om = kit_object(RT_MUTEX, "m0", 0), oc = kit_object(RT_COND, "c0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "waits_for_ever", e[0]);
  e[2] = EV(1, "lock", om, NULL);
  e[3] = kit_wait(1, oc, om, RT_ENF_CANCELLED, NULL, NULL);
  e[4] = EV(1, "unlock", om, NULL);
  e[5] = EV(0, "cancel", 1, NULL);
  RtNode *x = kit_exit(1, AFTER(e[5]));
  e[6] = EV(0, "join", 1, x);
  e[7] = EV(0, "lock", om, NULL);
  kit_exit(0, NULL);
  kit_begin(false, 0);
  pthread_t t;
  void *result;
  ok(rt_enf_pthread_create(e[0], &t, NULL, waits_for_ever, NULL));
  nap(20);
  ok(rt_enf_pthread_cancel(e[5], t));
  ok(rt_enf_pthread_join(e[6], t, &result));
  assert(result == PTHREAD_CANCELED);
  ok(rt_enf_pthread_mutex_lock(e[7], &m));
  traced_is("c");
}

// A child of fork is not held to anything, and its handlers at exit neither.
static void forks(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0);
  e[0] = EV(0, "lock", o, NULL);
  e[1] = EV(0, "unlock", o, NULL);
  e[2] = EV(0, "lock", o, NULL);
  kit_exit(0, NULL);
  kit_begin(false, 0);
  ok(rt_enf_pthread_mutex_lock(e[0], &m));
  pid_t pid = fork();
  int status;
  if (!pid) {
    ok(rt_enf_pthread_mutex_lock(e[0], &m2));
    ok(rt_enf_pthread_mutex_unlock(e[1], &m));
    assert(!rt_enf_stub((const void *)(uintptr_t)routine));
    exit(7);
  }
  assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7);
  ok(rt_enf_pthread_mutex_unlock(e[1], &m));
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
}

// The process ends early, with threads that wait for ever and events that never come.
static void *stays(void *p) {
  rt_enf_pthread_mutex_lock(e[2], &m);
  return p;
}
static void early_exit(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "stays", e[0]);
  e[1] = EV(0, "lock", o, NULL);
  e[2] = EV(1, "lock", o, e[1]);
  kit_exit(0, AFTER(e[2]));
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, stays, NULL));
  exit(3);
}

// The end of the process comes after the last event of a thread that nobody joins; a handler at exit takes
// part, and so does the destructor of a key.
static void *last_event(void *p) {
  nap(30);
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  mark('1');
  ok(rt_enf_pthread_mutex_unlock(e[2], &m));
  nap(10000);
  return p;
}
static void handler(void) {
  ok(rt_enf_pthread_mutex_lock(e[3], &m));
  traced_is("1");
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
}
static void ends_last(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "last_event", e[0]);
  e[1] = EV(1, "lock", o, NULL);
  e[2] = EV(1, "unlock", o, NULL);
  e[3] = EV(0, "lock", o, e[2]);
  e[4] = EV(0, "unlock", o, NULL);
  kit_exit(0, AFTER(e[2]));
  kit_begin(false, 0);
  atexit(handler);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, last_event, NULL));
}

// A signal while a thread waits, and a handler that enters a stub.
static _Atomic int handled;
static void on_signal(int number) {
  (void)number;
  assert(!rt_enf_stub((const void *)(uintptr_t)on_signal));
  ++handled;
}
static void *is_disturbed(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
  assert(handled == 20);
  ok(rt_enf_pthread_mutex_unlock(e[3], &m));
  return p;
}
static void signals(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "is_disturbed", e[0]);
  e[1] = EV(0, "lock", o, NULL);
  e[4] = EV(0, "unlock", o, NULL);
  e[2] = EV(1, "lock", o, e[4]);
  e[3] = EV(1, "unlock", o, NULL);
  RtNode *x = kit_exit(1, NULL);
  e[5] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  struct sigaction a = {.sa_handler = on_signal};
  ok(sigaction(SIGUSR1, &a, NULL));
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, is_disturbed, NULL));
  for (int i = 0; i < 20; ++i) {
    ok(pthread_kill(t, SIGUSR1));
    while (handled == i) nap(1);
  }
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
  ok(rt_enf_pthread_join(e[5], t, NULL));
}

// C11's functions; a clone in place of the routine; an address that is another mutex's later.
static mtx_t mt;
static cnd_t ct;
static int thrd_clone(void *p) {
  assert(rt_enf_mtx_lock(e[2], &mt) == thrd_success);
  assert(rt_enf_cnd_signal(e[3], &ct) == thrd_success);
  assert(rt_enf_mtx_unlock(e[4], &mt) == thrd_success);
  rt_enf_thrd_exit(e[9], *(int *)p);
}
static int thrd_original(void *p) {
  (void)p;
  abort();
}
static void c11(void) {
  uint32_t om = kit_object(RT_MUTEX, "m0", 0), oc = kit_object(RT_COND, "c0", 0),
           next = kit_object(RT_MUTEX, "m1", 0);
  e[0] = EV(0, "create", 1, NULL);
  e[0]->code = (const void *)(uintptr_t)thrd_clone;
  e[0]->function = (const void *)(uintptr_t)thrd_original;
  kit_enter(1, "thrd_original", e[0]);
  e[1] = EV(0, "lock", om, NULL);
  e[5] = kit_event(0, "wait-arrive", oc, (Kit){.mutex = om}, NULL);
  e[2] = EV(1, "lock", om, e[5]);
  e[3] = EV(1, "signal", oc, NULL);
  e[4] = EV(1, "unlock", om, NULL);
  e[5]->depart = kit_event(0, "wait-depart", oc, (Kit){.mutex = om}, AFTER(e[4]));
  e[6] = EV(0, "unlock", om, NULL);
  e[9] = kit_exit(1, NULL);
  e[7] = EV(0, "join", 1, e[9]);
  e[8] = EV(0, "lock", next, NULL);
  kit_exit(0, NULL);
  kit_last(om, e[4]);
  kit_last(om, e[6]);
  kit_begin(false, 0);
  assert(mtx_init(&mt, mtx_plain) == thrd_success && cnd_init(&ct) == thrd_success);
  thrd_t t;
  int nine = 9, result = 0;
  assert(rt_enf_thrd_create(e[0], &t, thrd_original, &nine) == thrd_success);
  assert(rt_enf_mtx_lock(e[1], &mt) == thrd_success);
  assert(rt_enf_cnd_wait(e[5], &ct, &mt) == thrd_success);
  assert(rt_enf_mtx_unlock(e[6], &mt) == thrd_success);
  assert(rt_enf_thrd_join(e[7], t, &result) == thrd_success && result == 9);
  mtx_destroy(&mt);
  assert(mtx_init(&mt, mtx_plain) == thrd_success);
  assert(rt_enf_mtx_lock(e[8], &mt) == thrd_success);
}

// Joins that are too early, by the clock and not; a detached thread; the process ends with its last thread.
static void *is_waited_for(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  return p;
}
static void *is_detached(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[8], &m2));
  mark('d');
  traced_is("d");
  return p;
}
static void joins(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0), o2 = kit_object(RT_MUTEX, "m1", 0);
  e[0] = EV(0, "create", 1, NULL);
  e[6] = EV(0, "create", 2, NULL);
  kit_enter(1, "is_waited_for", e[0]);
  kit_enter(2, "is_detached", e[6]);
  e[2] = EVO(0, "join = busy", 1, EBUSY, NULL);
  e[3] = EVO(0, "join = timedout", 1, ETIMEDOUT, NULL);
  e[1] = EV(1, "lock", o, e[3]);
  RtNode *x = kit_exit(1, NULL);
  e[4] = EV(0, "join", 1, x);
  e[7] = EV(0, "detach", 2, NULL);
  e[5] = kit_exit(0, NULL);
  e[8] = EV(2, "lock", o2, e[7]);
  kit_exit(2, AFTER(e[5], x));
  kit_schedule.end_thread = 2;
  kit_begin(false, 0);
  pthread_t t, t2;
  ok(rt_enf_pthread_create(e[0], &t, NULL, is_waited_for, NULL));
  ok(rt_enf_pthread_create(e[6], &t2, NULL, is_detached, NULL));
  assert(rt_enf_pthread_tryjoin_np(e[2], t, NULL) == EBUSY);
  struct timespec until = kit_ahead(CLOCK_REALTIME, 20);
  assert(rt_enf_pthread_timedjoin_np(e[3], t, NULL, &until) == ETIMEDOUT);
  ok(rt_enf_pthread_tryjoin_np(e[4], t, NULL));
  ok(rt_enf_pthread_detach(e[7], t2));
  rt_enf_pthread_exit(e[5], NULL);
}

// The destructor of a key has events of its own, before the thread's end, which the join waits for.
static void destructor(void *p) {
  (void)p;
  poll(NULL, 0, 20);
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  mark('k');
  ok(rt_enf_pthread_mutex_unlock(e[2], &m));
}
static pthread_key_t key;
static void *has_key(void *p) {
  ok(pthread_setspecific(key, trace));
  return p;
}
static void destructors(void) {
  uint32_t o = kit_object(RT_MUTEX, "m0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "has_key", e[0]);
  e[1] = EV(1, "lock", o, NULL);
  e[2] = EV(1, "unlock", o, NULL);
  RtNode *x = kit_exit(1, NULL);
  e[3] = EV(0, "lock", o, e[2]);
  e[4] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  ok(pthread_key_create(&key, destructor));
  kit_begin(false, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, has_key, NULL));
  ok(rt_enf_pthread_mutex_lock(e[3], &m));
  traced_is("k");
  ok(rt_enf_pthread_join(e[4], t, NULL));
}

// Bare: ThreadSanitizer does not know C11 threads, keeps a process alive that main has left by pthread_exit,
// and has an opinion on unlocking what is not locked.
static const Scenario all[] = {{"lock_order", lock_order, 0, NULL, false},
                               {"conditions", conditions, 0, NULL, false},
                               {"try_locks", try_locks, 0, NULL, false},
                               {"barriers", barriers, 0, NULL, false},
                               {"others", others, 0, NULL, false},
                               {"once", once, 0, NULL, false},
                               {"mutex_kinds", mutex_kinds, 0, NULL, true},
                               {"many_threads", many_threads, 0, NULL, false},
                               {"cancellation", cancellation, 0, NULL, false},
                               {"forks", forks, 0, NULL, false},
                               {"early_exit", early_exit, 3, NULL, false},
                               {"ends_last", ends_last, 0, NULL, false},
                               {"joins", joins, 0, NULL, true},
                               {"destructors", destructors, 0, NULL, false},
                               {"signals", signals, 0, NULL, false},
                               {"c11", c11, 0, NULL, true},
                               {NULL, NULL, 0, NULL, false}};

int main(int argc, char **argv) {
  return kit_main(argc, argv, all);
}

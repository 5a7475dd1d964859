// Threads: many at a time, many after each other, every way to end, and those that nobody announced.
#include "harness.h"
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int count;

static void *bump(void *arg) {
  ok(rt_rec_pthread_mutex_lock(10, &lock));
  ++count;
  ok(rt_rec_pthread_mutex_unlock(11, &lock));
  return arg;
}

static RtRecording *whole(const char *dir, Order *o) {
  RtRecording *r = harness_open(dir);
  *o = referee(r);
  assert(o->order == RT_ORDER_WHOLE && rt_recording_process(r)->why == 0);
  return r;
}
static void done(RtRecording *r, Order *o) {
  order_free(o);
  rt_recording_close(r);
}

enum { MANY = 200 };
static pthread_barrier_t all_there;

static void *be_there(void *arg) {
  rt_rec_pthread_barrier_wait(12, &all_there);
  for (int i = 0; i < 20; ++i) bump(arg);
  return arg;
}
static void run_many(void) {
  pthread_t t[MANY];
  ok(rt_rec_pthread_barrier_init(1, &all_there, NULL, MANY));
  for (uintptr_t i = 0; i < MANY; ++i) ok(rt_rec_pthread_create(2, &t[i], NULL, be_there, (void *)i));
  for (uintptr_t i = 0; i < MANY; ++i) {
    void *result;
    ok(rt_rec_pthread_join(3, t[i], &result));
    assert(result == (void *)i);
  }
  assert(count == MANY * 20);
}
static void check_many(const char *dir, int status) {
  Order o;
  assert(status == 0);
  RtRecording *r = whole(dir, &o);
  assert(rt_recording_threads(r) == MANY + 1 && order_count(&o, RT_JOIN, RT_OK) == MANY);
  for (uint32_t i = 0; i < MANY; ++i) {
    const RtEvent *e = order_find(&o, RT_JOIN, 3, i);
    assert(e && e->entry.object == i + 1 && e->thread == 0 && e->cause != RT_NO_CAUSE);
  }
  done(r, &o);
}

// The same pthread_t again and again, joined and detached.
enum { REUSED = 600 };
static void *bump_and_post(void *arg) {
  bump(arg);
  ok(rt_rec_sem_post(13, &sem));
  return NULL;
}
static void run_reuse(void) {
  pthread_t t;
  pthread_attr_t detached;
  ok(pthread_attr_init(&detached));
  ok(pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED));
  ok(rt_rec_sem_init(1, &sem, 0, 0));
  for (int i = 0; i < REUSED; ++i) {
    ok(rt_rec_pthread_create(2, &t, NULL, bump, NULL));
    ok(rt_rec_pthread_join(3, t, NULL));
    ok(rt_rec_pthread_create(4, &t, &detached, bump_and_post, NULL));
    ok(rt_rec_sem_wait(5, &sem));
    ok(rt_rec_pthread_create(6, &t, NULL, bump_and_post, NULL));
    ok(rt_rec_pthread_detach(7, t));
    ok(rt_rec_sem_wait(8, &sem));
  }
}
static void check_reuse(const char *dir, int status) {
  Order o;
  assert(status == 0);
  RtRecording *r = whole(dir, &o);
  assert(rt_recording_threads(r) == 3 * REUSED + 1);
  for (uint32_t i = 0; i < REUSED; ++i) {
    const RtEvent *e = order_find(&o, RT_JOIN, 3, i);
    assert(e && e->entry.object == 3 * i + 1);
    e = order_find(&o, RT_DETACH, 7, i);
    assert(e && e->entry.object == 3 * i + 3);
    e = order_find(&o, RT_ACQUIRE, 5, i);
    assert(e && e->cause != RT_NO_CAUSE && o.at[e->cause].thread == 3 * i + 2);
  }
  done(r, &o);
}

static pthread_key_t key;
static void unlock_lock(void *p) {
  (void)p;
  ok(rt_rec_pthread_mutex_unlock(20, &lock));
}
static void bump_at_end(void *p) {
  bump(p);
}
static void *by_return(void *arg) {
  pthread_setspecific(key, arg);
  return arg;
}
static void *by_exit(void *arg) {
  rt_rec_call(21);
  rt_rec_pthread_exit(22, arg);
}
static void *in_wait(void *arg) {
  ok(rt_rec_pthread_mutex_lock(23, &lock));
  pthread_cleanup_push(unlock_lock, NULL);
  ok(rt_rec_sem_post(24, &sem));
  for (;;) rt_rec_pthread_cond_wait(25, &never, &lock);
  pthread_cleanup_pop(0);
  return arg;
}
static void *in_semaphore(void *arg) {
  ok(rt_rec_sem_post(26, &sem));
  static sem_t nothing;
  rt_rec_sem_wait(27, &nothing);
  return arg;
}
static void *in_nothing(void *arg) {
  static sem_t nothing;
  rt_rec_sem_wait(36, &nothing);
  return arg;
}
static void *in_test(void *arg) {
  ok(rt_rec_sem_post(28, &sem));
  for (;;) rt_rec_pthread_testcancel(29);
  return arg;
}
static void *in_join(void *arg) {
  pthread_t t;
  ok(rt_rec_pthread_create(30, &t, NULL, in_nothing, NULL));
  ok(rt_rec_sem_post(32, &sem));
  rt_rec_pthread_join(33, t, NULL);
  return arg;
}
static void *self(void *arg) {
  ok(rt_rec_pthread_cancel(34, pthread_self()));
  rt_rec_pthread_testcancel(35);
  return arg;
}
static void cancel_one(RtSite site, void *(*f)(void *)) {
  pthread_t t;
  void *result;
  ok(rt_rec_pthread_create(site, &t, NULL, f, NULL));
  ok(rt_rec_sem_wait(40, &sem));
  ok(rt_rec_pthread_cancel(41, t));
  ok(rt_rec_pthread_join(42, t, &result));
  assert(result == PTHREAD_CANCELED);
}
static void run_ends(void) {
  pthread_t t;
  void *result;
  ok(rt_rec_sem_init(1, &sem, 0, 0));
  ok(pthread_key_create(&key, bump_at_end));
  ok(rt_rec_pthread_create(50, &t, NULL, by_return, &count));
  ok(rt_rec_pthread_join(51, t, &result));
  assert(result == &count && count == 1);
  ok(rt_rec_pthread_create(52, &t, NULL, by_exit, &count));
  ok(rt_rec_pthread_join(53, t, &result));
  assert(result == &count);
  cancel_one(54, in_wait);
  cancel_one(55, in_semaphore);
  cancel_one(56, in_test);
  if (!SANITIZED) cancel_one(57, in_join);
  ok(rt_rec_pthread_create(58, &t, NULL, self, NULL));
  ok(rt_rec_pthread_join(59, t, &result));
  assert(result == PTHREAD_CANCELED);
  ok(rt_rec_pthread_create(60, &t, NULL, in_test, NULL));
  assert(rt_rec_pthread_tryjoin_np(61, t, NULL) == EBUSY);
  struct timespec soon = seconds_from_now(CLOCK_REALTIME, 0.01),
                  mono = seconds_from_now(CLOCK_MONOTONIC, 0.01);
  assert(rt_rec_pthread_timedjoin_np(62, t, NULL, &soon) == ETIMEDOUT);
  assert(rt_rec_pthread_clockjoin_np(63, t, NULL, CLOCK_MONOTONIC, &mono) == ETIMEDOUT);
  if (!SANITIZED) assert(rt_rec_pthread_join(64, pthread_self(), NULL) == EDEADLK);
  ok(rt_rec_pthread_cancel(65, t));
  ok(rt_rec_pthread_join(66, t, NULL));
}
static const RtEvent *exit_of(const Order *o, uint32_t thread) {
  for (size_t i = 0; i < o->count; ++i)
    if (o->at[i].thread == thread && o->at[i].entry.op == RT_EXIT) return &o->at[i];
  return NULL;
}
static void check_ends(const char *dir, int status) {
  Order o;
  assert(status == 0);
  RtRecording *r = whole(dir, &o);
  assert(exit_of(&o, 1)->entry.outcome == RT_OK);
  // The destructor of a key came before the end.
  const RtEvent *late = order_find(&o, RT_UNLOCK, 11, 0);
  assert(late && late->thread == 1 && late->place + 1 == exit_of(&o, 1)->place);
  assert(exit_of(&o, 2)->entry.outcome == RT_RAN && exit_of(&o, 2)->entry.site == 22);
  for (uint32_t t = 3; t <= 5; ++t) assert(exit_of(&o, t)->entry.outcome == RT_UNWOUND);
  const RtEvent *wake = order_find(&o, RT_WAKE, 25, 0), *again = order_find(&o, RT_REACQUIRE, 25, 0);
  assert(wake->entry.outcome == RT_UNWOUND && again && order_find(&o, RT_UNLOCK, 20, 0));
  assert(order_find(&o, RT_CANCEL, 41, 0) < wake);
  assert(order_find(&o, RT_ACQUIRE, 27, 0)->entry.outcome == RT_UNWOUND);
  if (!SANITIZED) assert(order_find(&o, RT_JOIN, 33, 0)->entry.outcome == RT_UNWOUND);
  assert(order_find(&o, RT_TESTCANCEL, 35, 0)->entry.outcome == RT_UNWOUND);
  assert(order_find(&o, RT_JOIN, 61, 0)->entry.outcome == EBUSY);
  assert(order_find(&o, RT_JOIN, 62, 0)->entry.outcome == ETIMEDOUT);
  assert(order_find(&o, RT_JOIN, 63, 0)->entry.outcome == ETIMEDOUT);
  if (!SANITIZED) assert(order_find(&o, RT_JOIN, 64, 0)->entry.outcome == EDEADLK);
  done(r, &o);
}

// What the recorder does to its files is no cancellation point: a mutex is none either.
enum { GROWN = 100000 };
static atomic_int cancelled;
static void *grow(void *arg) {
  while (!atomic_load(&cancelled)) sched_yield();
  for (int i = 0; i < GROWN; ++i) bump(arg);
  for (;;) rt_rec_pthread_testcancel(71);
  return arg;
}
static void run_grown(void) {
  pthread_t t;
  void *result;
  ok(rt_rec_pthread_create(72, &t, NULL, grow, NULL));
  ok(rt_rec_pthread_cancel(73, t));
  atomic_store(&cancelled, 1);
  ok(rt_rec_pthread_join(74, t, &result));
  assert(result == PTHREAD_CANCELED && count == GROWN);
}
static void check_grown(const char *dir, int status) {
  Order o;
  assert(status == 0);
  RtRecording *r = whole(dir, &o);
  assert(exit_of(&o, 1)->entry.outcome == RT_UNWOUND);
  done(r, &o);
}

static mtx_t mutex11;
static cnd_t cond11;
static once_flag once11 = ONCE_FLAG_INIT;
static int ready11;
static void once_run11(void) {
  ready11 = 1;
}
static int run11(void *arg) {
  rt_rec_call_once(70, &once11, once_run11);
  assert(rt_rec_mtx_lock(71, &mutex11) == thrd_success);
  while (ready11 != 2) assert(rt_rec_cnd_wait(72, &cond11, &mutex11) == thrd_success);
  assert(rt_rec_mtx_unlock(73, &mutex11) == thrd_success);
  if (arg) rt_rec_thrd_exit(74, 7);
  return 8;
}
static void run_c11(void) {
  thrd_t t[3];
  int result;
  assert(rt_rec_mtx_init(80, &mutex11, mtx_timed) == thrd_success &&
         rt_rec_cnd_init(81, &cond11) == thrd_success);
  for (int i = 0; i < 3; ++i) assert(rt_rec_thrd_create(82, &t[i], run11, i ? &t : NULL) == thrd_success);
  rt_rec_call_once(83, &once11, once_run11);
  assert(rt_rec_mtx_lock(84, &mutex11) == thrd_success);
  struct timespec soon = seconds_from_now(CLOCK_REALTIME, 0.01);
  assert(rt_rec_cnd_timedwait(85, &cond11, &mutex11, &soon) == thrd_timedout);
  assert(rt_rec_mtx_trylock(86, &mutex11) == thrd_busy);
  ready11 = 2;
  assert(rt_rec_cnd_signal(87, &cond11) == thrd_success && rt_rec_cnd_broadcast(88, &cond11) == thrd_success);
  assert(rt_rec_mtx_unlock(89, &mutex11) == thrd_success);
  assert(rt_rec_thrd_join(90, t[0], &result) == thrd_success && result == 8);
  assert(rt_rec_thrd_join(91, t[1], &result) == thrd_success && result == 7);
  assert(rt_rec_thrd_detach(92, t[2]) == thrd_success);
  rt_rec_cnd_destroy(93, &cond11);
}
static void check_c11(const char *dir, int status) {
  Order o;
  assert(status == 0);
  RtRecording *r = whole(dir, &o);
  assert(order_find(&o, RT_LOCK, 86, 0)->entry.outcome == EBUSY);
  assert(order_find(&o, RT_WAKE, 85, 0)->entry.outcome == ETIMEDOUT);
  assert(exit_of(&o, 2)->entry.outcome == RT_RAN && order_count(&o, RT_ONCE_BEGIN, -1) == 1);
  done(r, &o);
}

// Threads made by code without hooks.
static void run_foreign(void) {
  pthread_t t[8], joined;
  for (int i = 0; i < 8; ++i) ok(pthread_create(&t[i], NULL, bump, NULL));
  for (int i = 0; i < 7; ++i) ok(pthread_join(t[i], NULL));
  ok(rt_rec_pthread_join(1, t[7], NULL));
  ok(pthread_create(&joined, NULL, bump, NULL));
  ok(pthread_detach(joined));
  while (ok(rt_rec_pthread_mutex_lock(2, &lock)), count < 9)
    ok(rt_rec_pthread_mutex_unlock(3, &lock)), sched_yield();
  ok(rt_rec_pthread_mutex_unlock(4, &lock));
}
static void check_foreign(const char *dir, int status) {
  Order o;
  assert(status == 0);
  RtRecording *r = whole(dir, &o);
  assert(rt_recording_threads(r) == 10 && order_count(&o, RT_CREATE, -1) == 0);
  for (size_t i = 0; i < o.count; ++i)
    if (o.at[i].entry.op == RT_ENTER) assert(o.at[i].entry.object == RT_NO_THREAD);
  const RtEvent *j = order_find(&o, RT_JOIN, 1, 0);
  assert(j && j->entry.object != RT_NO_THREAD && j->cause != RT_NO_CAUSE);
  done(r, &o);
}

static void *spin_on(void *arg) {
  for (;;) bump(arg);
  return NULL;
}
static void start_spinners(void) {
  pthread_t t;
  for (int i = 0; i < 3; ++i) ok(rt_rec_pthread_create(2, &t, NULL, spin_on, NULL));
  while (ok(rt_rec_pthread_mutex_lock(3, &lock)), count < 1000) ok(rt_rec_pthread_mutex_unlock(4, &lock));
  ok(rt_rec_pthread_mutex_unlock(4, &lock));
}
static void at_the_end(void) {
  bump(NULL);
}
static void run_exit(void) {
  atexit(at_the_end);
  start_spinners();
  rt_rec_exit(5, 17);
}
static void run_return(void) {
  start_spinners();
}
static void run__exit(void) {
  start_spinners();
  rt_rec__exit(6, 18);
}
static void *main_is_gone(void *arg) {
  ok(rt_rec_pthread_join(7, *(pthread_t *)arg, NULL));
  bump(NULL);
  exit(19);
}
static void run_main_exit(void) {
  static pthread_t main_thread;
  pthread_t t;
  main_thread = pthread_self();
  ok(rt_rec_pthread_create(8, &t, NULL, main_is_gone, &main_thread));
  rt_rec_pthread_exit(9, NULL);
}
static void check_end(const char *dir, int status, int want, uint32_t site, uint32_t thread) {
  assert(WIFEXITED(status) && WEXITSTATUS(status) == want);
  RtRecording *r = harness_open(dir);
  Order o = referee(r);
  const RtProcess *p = rt_recording_process(r);
  assert(o.order != RT_ORDER_BROKEN && p->why == 0 && p->end == RT_END_EXIT && p->status == want);
  const RtEvent *e = order_find(&o, RT_END, site, 0);
  assert(e && e->entry.seq == (uint32_t)want && e->thread == thread);
  done(r, &o);
}
static void check_exit(const char *dir, int status) {
  check_end(dir, status, 17, 5, 0);
}
static void check_return(const char *dir, int status) {
  check_end(dir, status, 0, RT_NO_SITE, 0);
}
static void check__exit(const char *dir, int status) {
  check_end(dir, status, 18, 6, 0);
}
static void check_main_exit(const char *dir, int status) {
  check_end(dir, status, 19, RT_NO_SITE, 1);
}

int main(int argc, char **argv) {
  static const Scenario all[] = {{"many", run_many, check_many, NULL, false},
                                 {"reuse", run_reuse, check_reuse, NULL, false},
                                 {"ends", run_ends, check_ends, NULL, false},
                                 {"grown", run_grown, check_grown, NULL, false},
                                 {"c11", run_c11, check_c11, NULL, true},
                                 {"foreign", run_foreign, check_foreign, NULL, false},
                                 {"exit", run_exit, check_exit, NULL, false},
                                 {"return", run_return, check_return, NULL, false},
                                 {"_exit", run__exit, check__exit, NULL, false},
                                 {"main exits", run_main_exit, check_main_exit, NULL, true},
                                 {NULL, NULL, NULL, NULL, false}};
  return harness_main(argc, argv, all);
}

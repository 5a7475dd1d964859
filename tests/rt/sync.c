// Synchronization of every kind, under contention, against a log that the program itself keeps under its
// locks.
#include "harness.h"
#include <sched.h>

enum { THREADS = 6, LOCKS = 5, ROUNDS = 4000, SITE = 1000 };

// Who took which lock, in order; written while holding it.
typedef struct {
  pthread_mutex_t mutex;
  uint32_t count;
  uint8_t order[THREADS * ROUNDS];
} Logged;
static Logged locks[LOCKS];

static void truth_write(void) {
  FILE *f = fopen(getenv("TRUTH"), "w");
  assert(f && fwrite(locks, sizeof locks, 1, f) == 1 && !fclose(f));
}
static void truth_before(const char *dir) {
  char path[400];
  snprintf(path, sizeof path, "%s/truth", dir);
  setenv("TRUTH", path, 1);
}
static void truth_read(const char *dir) {
  char path[400];
  snprintf(path, sizeof path, "%s/truth", dir);
  FILE *f = fopen(path, "r");
  assert(f && fread(locks, sizeof locks, 1, f) == 1 && !fclose(f));
}

static uint32_t step(uint32_t *x) {
  return (*x = *x * 1664525u + 1013904223u) >> 8;
}

// Sites say which thread (SITE + 10 * tag) and what it does (+ 0 ... 9).
static void *contend(void *arg) {
  uint32_t tag = (uint32_t)(uintptr_t)arg, x = tag + 1, site = SITE + 10 * tag;
  for (int i = 0; i < ROUNDS; ++i) {
    Logged *l = &locks[step(&x) % LOCKS];
    rt_rec_call(site + 5);
    int e = step(&x) % 3 ? rt_rec_pthread_mutex_lock(site, &l->mutex)
                         : rt_rec_pthread_mutex_trylock(site + 1, &l->mutex);
    assert(e == 0 || e == EBUSY);
    if (!e) {
      l->order[l->count++] = (uint8_t)tag;
      if (step(&x) % 16 == 0) sched_yield();
      ok(rt_rec_pthread_mutex_unlock(site + 2, &l->mutex));
    }
    rt_rec_ret(site + 5);
  }
  return NULL;
}

static void run_mutexes(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < LOCKS; ++i) ok(rt_rec_pthread_mutex_init(1, &locks[i].mutex, NULL));
  for (uintptr_t i = 0; i < THREADS; ++i) ok(rt_rec_pthread_create(2, &t[i], NULL, contend, (void *)i));
  for (int i = 0; i < THREADS; ++i) ok(rt_rec_pthread_join(3, t[i], NULL));
  for (int i = 0; i < LOCKS; ++i) ok(rt_rec_pthread_mutex_destroy(4, &locks[i].mutex));
  truth_write();
}

// The n-th lock of an object in the order was by whom the program says.
static void check_mutexes(const char *dir, int status) {
  assert(status == 0);
  truth_read(dir);
  RtRecording *r = harness_open(dir);
  Order o = referee(r);
  assert(o.order == RT_ORDER_WHOLE && rt_recording_process(r)->why == 0);
  uint32_t seen[LOCKS] = {0}, busy = 0;
  for (size_t i = 0; i < o.count; ++i) {
    RtEntry e = o.at[i].entry;
    if (e.op != RT_LOCK) continue;
    uint32_t lock = e.object - 1, tag = (e.site - SITE) / 10;
    assert(lock < LOCKS && o.at[i].thread == tag + 1);
    busy += e.outcome == EBUSY;
    assert(e.outcome != EBUSY || e.extra == RT_SEEN);
    if (e.outcome == RT_OK) assert(locks[lock].order[seen[lock]++] == tag);
  }
  for (int i = 0; i < LOCKS; ++i) assert(seen[i] == locks[i].count);
  assert(busy > 0);
  size_t entries = o.count;
  fprintf(stderr, "  %zu events, %zu refused, %.2f bytes each\n", entries, (size_t)busy,
          (double)rt_recording_bytes(r) / (double)entries);
  order_free(&o);
  rt_recording_close(r);
}

// A bounded queue with two conditions; semaphores; a barrier per round; readers and writers; spin lock; once.
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int queued, produced, consumed;
static sem_t tokens;
static pthread_barrier_t barrier;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int serial, once_runs, table_value, spun;
enum { ITEMS = 3000, ROUNDS_ALL = 300 };

static void once_run(void) {
  ok(rt_rec_pthread_spin_lock(60, &spin));
  ++once_runs;
  ok(rt_rec_pthread_spin_unlock(61, &spin));
}

static void produce(void) {
  ok(rt_rec_pthread_mutex_lock(10, &queue_lock));
  while (queued == 4) ok(rt_rec_pthread_cond_wait(11, &not_full, &queue_lock));
  ++queued, ++produced;
  ok(rt_rec_pthread_mutex_unlock(12, &queue_lock));
  ok(rt_rec_pthread_cond_signal(13, &not_empty));  // not holding the mutex, on purpose
}
static bool consume(void) {
  ok(rt_rec_pthread_mutex_lock(14, &queue_lock));
  while (!queued && consumed < ITEMS) {
    struct timespec t = seconds_from_now(CLOCK_REALTIME, 0.002);
    int e = rt_rec_pthread_cond_timedwait(15, &not_empty, &queue_lock, &t);
    assert(e == 0 || e == ETIMEDOUT);
  }
  bool got = queued > 0;
  if (got) --queued, ++consumed;
  if (consumed == ITEMS) ok(rt_rec_pthread_cond_broadcast(16, &not_empty));
  ok(rt_rec_pthread_cond_signal(17, &not_full));
  ok(rt_rec_pthread_mutex_unlock(18, &queue_lock));
  return got;
}

static void round_of(uint32_t *x) {
  ok(rt_rec_sem_wait(20, &tokens));
  ok(rt_rec_pthread_spin_lock(21, &spin));
  ++spun;
  ok(rt_rec_pthread_spin_unlock(22, &spin));
  ok(rt_rec_sem_post(23, &tokens));
  if (rt_rec_sem_trywait(24, &tokens) == 0)
    ok(rt_rec_sem_post(25, &tokens));
  else
    assert(errno == EAGAIN);
  if (step(x) % 4) {
    if (rt_rec_pthread_rwlock_tryrdlock(26, &table) == 0) {
      if (step(x) % 8 == 0) sched_yield();
      assert(table_value % 2 == 0);
      ok(rt_rec_pthread_rwlock_unlock(27, &table));
    }
    ok(rt_rec_pthread_rwlock_rdlock(28, &table));
    assert(table_value % 2 == 0);
    ok(rt_rec_pthread_rwlock_unlock(29, &table));
  } else {
    int e = rt_rec_pthread_rwlock_trywrlock(30, &table);
    if (e) ok(rt_rec_pthread_rwlock_wrlock(31, &table));
    ++table_value, sched_yield(), ++table_value;
    ok(rt_rec_pthread_rwlock_unlock(32, &table));
  }
  if (rt_rec_pthread_spin_trylock(33, &spin) == 0) ok(rt_rec_pthread_spin_unlock(34, &spin));
}

static void *all_kinds(void *arg) {
  uint32_t tag = (uint32_t)(uintptr_t)arg, x = tag;
  ok(rt_rec_pthread_once(40, &once, once_run));
  for (int i = 0; i < ROUNDS_ALL; ++i) {
    round_of(&x);
    int e = rt_rec_pthread_barrier_wait(41, &barrier);
    if (e) assert(e == PTHREAD_BARRIER_SERIAL_THREAD), __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
  }
  ok(rt_rec_pthread_once(42, &once, once_run));
  if (tag < 2)
    for (int i = 0; i < ITEMS / 2; ++i) produce();
  else
    while (consume()) continue;
  return NULL;
}

static void run_all_kinds(void) {
  pthread_t t[THREADS];
  ok(rt_rec_sem_init(50, &tokens, 0, 2));
  ok(rt_rec_pthread_barrier_init(51, &barrier, NULL, THREADS));
  ok(rt_rec_pthread_spin_init(52, &spin, 0));
  for (uintptr_t i = 0; i < THREADS; ++i) ok(rt_rec_pthread_create(2, &t[i], NULL, all_kinds, (void *)i));
  for (int i = 0; i < THREADS; ++i) ok(rt_rec_pthread_join(3, t[i], NULL));
  assert(consumed == ITEMS && serial == ROUNDS_ALL && once_runs == 1 && spun == THREADS * ROUNDS_ALL);
  ok(rt_rec_pthread_barrier_destroy(53, &barrier));
  ok(rt_rec_sem_destroy(54, &tokens));
  ok(rt_rec_pthread_spin_destroy(55, &spin));
  ok(rt_rec_pthread_rwlock_destroy(56, &table));
  ok(rt_rec_pthread_cond_destroy(57, &not_empty));
}

static void check_all_kinds(const char *dir, int status) {
  assert(status == 0);
  RtRecording *r = harness_open(dir);
  Order o = referee(r);
  assert(o.order == RT_ORDER_WHOLE && rt_recording_process(r)->why == 0);
  assert(order_count(&o, RT_DEPART, RT_SERIAL) == ROUNDS_ALL);
  assert(order_count(&o, RT_ARRIVE, -1) == THREADS * ROUNDS_ALL);
  assert(order_count(&o, RT_ONCE_BEGIN, -1) == 1 && order_count(&o, RT_ONCE_END, -1) == 1);
  assert(order_count(&o, RT_ONCE, -1) == 2 * THREADS - 1);
  size_t unsure = 0, spurious = 0, wakes = 0;
  for (size_t i = 0; i < o.count; ++i) {
    RtEntry e = o.at[i].entry;
    unsure += rt_op_numbered(e.op) && (e.extra & (RT_UNSURE | RT_LOOSE)) == (RT_UNSURE | RT_LOOSE);
    wakes += e.op == RT_WAKE && e.outcome == RT_OK;
    spurious += e.op == RT_WAKE && e.outcome == RT_OK && o.at[i].cause == RT_NO_CAUSE;
  }
  fprintf(stderr, "  %zu events, %.2f bytes each, %zu wake-ups, %zu without a signal, %zu unsure\n", o.count,
          (double)rt_recording_bytes(r) / (double)o.count, wakes, spurious, unsure);
  assert(spurious * 100 <= wakes && unsure == 0);
  order_free(&o);
  rt_recording_close(r);
}

int main(int argc, char **argv) {
  static const Scenario all[] = {{"mutexes", run_mutexes, check_mutexes, truth_before, false},
                                 {"all kinds", run_all_kinds, check_all_kinds, NULL, false},
                                 {NULL, NULL, NULL, NULL, false}};
  return harness_main(argc, argv, all);
}

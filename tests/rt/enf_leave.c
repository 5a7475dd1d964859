// Runs that leave their schedule: what is said, and that they end or go on. (Free: those that may.)
#include <poll.h>
#include <signal.h>
#include "kit.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static RtNode *e[32];
static uint32_t o[4];
static bool going_on;

static void begin(void) {
  kit_exit(0, NULL);
  kit_begin(going_on, 0);
}
static void mutexes(void) {
  o[0] = kit_object(RT_MUTEX, "m0 first", 0);
  o[1] = kit_object(RT_MUTEX, "m1 second", 0);
}
static void lock_pair(void) {
  mutexes();
  e[0] = EV(0, "lock m0", o[0], NULL);
  e[1] = EV(0, "unlock m0", o[0], NULL);
  e[2] = EV(0, "lock m1", o[1], NULL);
  e[3] = EV(0, "unlock m1", o[1], NULL);
  begin();
}
static void out_of_order(void) {
  lock_pair();
  ok(rt_enf_pthread_mutex_lock(e[0], &m));
  ok(rt_enf_pthread_mutex_lock(e[2], &m2));
}
static void wrong_object(void) {
  mutexes();
  e[0] = EV(0, "lock m0", o[0], NULL);
  e[1] = EV(0, "unlock m0", o[0], NULL);
  e[2] = EV(0, "lock m0", o[0], NULL);
  begin();
  ok(rt_enf_pthread_mutex_lock(e[0], &m));
  ok(rt_enf_pthread_mutex_unlock(e[1], &m));
  ok(rt_enf_pthread_mutex_lock(e[2], &m2));
}
static void one_address(void) {
  lock_pair();
  ok(rt_enf_pthread_mutex_lock(e[0], &m));
  ok(rt_enf_pthread_mutex_unlock(e[1], &m));
  kit_last(o[0], e[3]);  // not yet
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
}
static void wrong_outcome(void) {
  mutexes();
  e[0] = EVO(0, "lock m0 = busy", o[0], EBUSY, NULL);
  begin();
  assert(rt_enf_pthread_mutex_trylock(e[0], &m) == 0);
}
static void refused(void) {
  mutexes();
  e[0] = EV(0, "lock m0", o[0], NULL);
  begin();
  ok(pthread_mutex_lock(&m));
  assert(rt_enf_pthread_mutex_trylock(e[0], &m) == EBUSY);
}

static void *returns(void *p) {
  return p;
}
static void *locks(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
  ok(rt_enf_pthread_mutex_unlock(e[3], &m));
  return p;
}
// t1 is to lock and unlock m0, t0 to lock it after that.
static void two_threads(const void *function) {
  mutexes();
  e[0] = EV(0, "create", 1, NULL);
  e[0]->function = function;
  kit_enter(1, "worker", e[0]);
  e[2] = EV(1, "lock m0", o[0], NULL);
  e[3] = EV(1, "unlock m0", o[0], NULL);
  RtNode *x = kit_exit(1, NULL);
  e[1] = EV(0, "lock m0", o[0], e[3]);
  e[4] = EV(0, "unlock m0", o[0], NULL);
  e[5] = EV(0, "join", 1, x);
  begin();
}
static void runs_two(void *(*routine)(void *)) {
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, routine, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
  ok(rt_enf_pthread_join(e[5], t, NULL));
}
static void ends_early(void) {
  two_threads(NULL);
  runs_two(returns);
}
static void wrong_routine(void) {
  two_threads((const void *)(uintptr_t)returns);
  runs_two(locks);
}
static void wrong_thread(void) {
  two_threads(NULL);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, locks, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
  assert(rt_enf_pthread_join(e[5], pthread_self(), NULL) == EDEADLK);
}
static void enters(void) {
  lock_pair();
  assert(!rt_enf_stub((const void *)(uintptr_t)enters));
}
static void barrier_count(void) {
  pthread_barrier_t b;
  ok(pthread_barrier_init(&b, NULL, 1));
  o[0] = kit_object(RT_BARRIER, "b0", 2);
  e[0] = kit_barrier(0, o[0], 0, 0);
  begin();
  assert(rt_enf_pthread_barrier_wait(e[0], &b) == PTHREAD_BARRIER_SERIAL_THREAD);
}
static void stops(void) {
  lock_pair();
  ok(rt_enf_pthread_mutex_lock(e[0], &m));
  const RtEdge edge = {0, e[1]->place, "f", "f.c", "the branch that is not taken", 7, 3};
  if (going_on)
    rt_enf_leave(&edge);
  else
    rt_enf_stop(&edge);
}
static void stops_call(void) {
  lock_pair();
  const RtEdge edge = {0, RT_NONE32, "f", "f.c", "g", 7, 3};
  errno = 7;
  assert(!rt_enf_is_free(0));
  if (going_on)
    rt_enf_leave_call(&edge, (const void *)(uintptr_t)stops);
  else
    rt_enf_stop_call(&edge, (const void *)(uintptr_t)stops);
  assert(errno == 7 && rt_enf_is_free(0));
  rt_enf_leave(NULL);
}

// Both wait for each other: an order that nothing can keep.
static void *crosses(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[2], &m2));
  ok(rt_enf_pthread_mutex_unlock(e[3], &m2));
  return p;
}
static void circle(void) {
  mutexes();
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "worker", e[0]);
  RtNode after = {.thread = 0, .position = 1};
  e[2] = EV(1, "lock m1", o[1], &after);
  e[3] = EV(1, "unlock m1", o[1], NULL);
  RtNode *x = kit_exit(1, NULL);
  e[1] = EV(0, "lock m0", o[0], e[2]);
  e[4] = EV(0, "unlock m0", o[0], NULL);
  e[5] = EV(0, "join", 1, x);
  begin();
  runs_two(crosses);
}

// t1 sleeps on a lock that the schedule knows nothing of, and who has it waits for t1.
static void *blocks(void *p) {
  ok(pthread_mutex_lock(&m2));
  ok(pthread_mutex_unlock(&m2));
  return locks(p);
}
static void asleep(void) {
  two_threads(NULL);
  pthread_t t;
  ok(pthread_mutex_lock(&m2));
  ok(rt_enf_pthread_create(e[0], &t, NULL, blocks, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  ok(pthread_mutex_unlock(&m2));
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
  ok(rt_enf_pthread_join(e[5], t, NULL));
}
// A handler could wake them, and does not.
static void handles(int signal) {
  (void)signal;
}
static void asleep_handled(void) {
  signal(SIGUSR1, handles);
  going_on = true;
  asleep();
}
// One is merely slow, in the kernel and out of it.
static void *is_slow(void *p) {
  struct timespec until = kit_ahead(CLOCK_MONOTONIC, 2000), now;
  poll(NULL, 0, 4000);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while (now.tv_sec < until.tv_sec + 4);
  return locks(p);
}
static void slow(void) {
  two_threads(NULL);
  runs_two(is_slow);
}
// One spins until the other has written something, and that one has its turn later.
static _Atomic int flag;
static void *spins(void *p) {
  while (!flag) continue;
  return locks(p);
}
static void *naps(void *p) {
  while (!flag) nanosleep(&(struct timespec){0, 1000000}, NULL);
  return locks(p);
}
static void spun(void *(*routine)(void *)) {
  setenv("SPECIALIZE_PATIENCE", "1", 1);
  two_threads(NULL);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, routine, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  flag = 1;
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
  ok(rt_enf_pthread_join(e[5], t, NULL));
}
static void spinning(void) {
  spun(spins);
}
static void napping(void) {
  spun(naps);
}
// Who merely computes for so long: the other would wait in the original too, or comes to events meanwhile.
static void computes(void) {
  struct timespec until = kit_ahead(CLOCK_MONOTONIC, 2200), now;
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while (now.tv_sec < until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec < until.tv_nsec));
}
static void *holds(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
  computes();
  ok(rt_enf_pthread_mutex_unlock(e[3], &m));
  computes();
  return p;
}
static void long_held(void) {
  setenv("SPECIALIZE_PATIENCE", "1", 1);
  two_threads(NULL);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, holds, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
  ok(rt_enf_pthread_join(e[5], t, NULL));
}
static pthread_cond_t later = PTHREAD_COND_INITIALIZER;
static sem_t units;
static void *wakes(void *p) {
  computes();
  ok(rt_enf_sem_post(e[3], &units));
  ok(rt_enf_pthread_mutex_lock(e[4], &m));
  computes();
  ok(rt_enf_pthread_cond_signal(e[5], &later));
  ok(rt_enf_pthread_mutex_unlock(e[6], &m));
  return p;
}
static void long_unwoken(void) {
  setenv("SPECIALIZE_PATIENCE", "1", 1);
  mutexes();
  o[2] = kit_object(RT_COND, "c0", 0);
  o[3] = kit_object(RT_SEMAPHORE, "s0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "worker", e[0]);
  e[3] = EV(1, "post s0", o[3], NULL);
  e[1] = EV(0, "wait s0", o[3], e[3]);
  e[2] = EV(0, "lock m0", o[0], NULL);
  e[7] = kit_event(0, "wait-arrive", o[2], (Kit){.mutex = o[0]}, NULL);
  e[4] = EV(1, "lock m0", o[0], e[7]);
  e[5] = EV(1, "signal", o[2], NULL);
  e[6] = EV(1, "unlock m0", o[0], NULL);
  RtNode *x = kit_exit(1, NULL);
  e[7]->depart = kit_event(0, "wait-depart", o[2], (Kit){.mutex = o[0]}, AFTER(e[6]));
  e[8] = EV(0, "unlock m0", o[0], NULL);
  e[9] = EV(0, "join", 1, x);
  begin();
  ok(sem_init(&units, 0, 0));
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, wakes, NULL));
  ok(rt_enf_sem_wait(e[1], &units));
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
  ok(rt_enf_pthread_cond_wait(e[7], &later, &m));
  ok(rt_enf_pthread_mutex_unlock(e[8], &m));
  ok(rt_enf_pthread_join(e[9], t, NULL));
}
// One comes to the barrier, the other returns.
static pthread_barrier_t b;
static void *comes_not(void *p) {
  pthread_mutex_lock(&m2);
  return p;
}
static void barrier_alone(void) {
  o[0] = kit_object(RT_BARRIER, "b0", 2);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "worker", e[0]);
  e[1] = kit_barrier(0, o[0], 0, 0);
  kit_barrier(1, o[0], 0, RT_ENF_SERIAL);
  begin();
  ok(pthread_barrier_init(&b, NULL, 2));
  ok(pthread_mutex_lock(&m2));
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, comes_not, NULL));
  rt_enf_pthread_barrier_wait(e[1], &b);
}

// The first half of a round has come when the run becomes free; the other half meets it in the real barrier.
static void *half(void *p) {
  int r = rt_enf_pthread_barrier_wait(e[2], &b);
  assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
  return p;
}
static void barrier_halves(void) {
  o[0] = kit_object(RT_BARRIER, "b0", 2);
  o[1] = kit_object(RT_MUTEX, "m0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "worker", e[0]);
  e[2] = kit_barrier(1, o[0], 0, 0);
  RtNode *x = kit_exit(1, NULL);
  e[1] = EV(0, "lock m0", o[1], e[2]);
  e[3] = kit_barrier(0, o[0], 0, RT_ENF_SERIAL);
  e[4] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  kit_begin(true, 0);
  ok(pthread_barrier_init(&b, NULL, 2));
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, half, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  poll(NULL, 0, 50);
  assert(rt_enf_pthread_mutex_trylock(e[3], &m) == EBUSY);  // not its turn
  int r = rt_enf_pthread_barrier_wait(e[3], &b);
  assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
  ok(rt_enf_pthread_join(e[4], t, NULL));
}

// A thread waits in a condition when the run becomes free: it waits on until somebody signals, and then
// returns with its mutex.
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static _Atomic int returned;
static void signal_once(void) {
  assert(!returned);
  ok(pthread_mutex_unlock(&m));
  poll(NULL, 0, 50);
  assert(!returned);
  ok(pthread_cond_signal(&c));
}
static void *waits(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[2], &m));
  ok(rt_enf_pthread_cond_wait(e[3], &c, &m));
  returned = 1;
  assert(pthread_mutex_trylock(&m) == EBUSY);
  ok(rt_enf_pthread_mutex_unlock(e[4], &m));
  return p;
}
static void wait_free(void) {
  o[0] = kit_object(RT_MUTEX, "m0", 0);
  o[1] = kit_object(RT_COND, "c0", 0);
  e[0] = EV(0, "create", 1, NULL);
  kit_enter(1, "worker", e[0]);
  e[2] = EV(1, "lock m0", o[0], NULL);
  RtNode *arrive = kit_event(1, "wait-arrive", o[1], (Kit){.mutex = o[0]}, NULL);
  e[1] = EV(0, "lock m0", o[0], arrive);
  e[5] = EV(0, "signal", o[1], NULL);
  arrive->depart = kit_event(1, "wait-depart", o[1], (Kit){.mutex = o[0]}, AFTER(e[5]));
  e[3] = arrive;
  e[4] = EV(1, "unlock m0", o[0], NULL);
  RtNode *x = kit_exit(1, NULL);
  e[6] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  kit_begin(true, 0);
  pthread_t t;
  ok(rt_enf_pthread_create(e[0], &t, NULL, waits, NULL));
  ok(rt_enf_pthread_mutex_lock(e[1], &m));
  poll(NULL, 0, 50);
  const RtEdge edge = {0, e[5]->place, "f", "f.c", "the branch that is not taken", 7, 3};
  rt_enf_leave(&edge);
  signal_once();
  ok(rt_enf_pthread_join(e[6], t, NULL));
}

// A thread has done all that the schedule knows of it, another waits as it did when the process ended: both
// go on when the run becomes free, the second with its mutex.
static RtEdge resting = {1, RT_NONE32, "f", "f.c", "a return", 8, 3};
static void *rests(void *p) {
  errno = 7;
  rt_enf_stay(&resting);
  assert(errno == 7 && rt_enf_is_free(1));
  return p;
}
static void *waits_on(void *p) {
  ok(rt_enf_pthread_mutex_lock(e[3], &m));
  ok(rt_enf_pthread_cond_wait(e[4], &c, &m));
  returned = 1;
  assert(pthread_mutex_trylock(&m) == EBUSY);
  ok(pthread_mutex_unlock(&m));
  return p;
}
static void rest_free(void) {
  o[0] = kit_object(RT_MUTEX, "m0", 0);
  o[1] = kit_object(RT_COND, "c0", 0);
  for (uint32_t i = 0; i < 2; ++i) e[i] = EV(0, "create", i + 1, NULL);
  kit_enter(1, "rests", e[0]);
  kit_enter(2, "waits", e[1]);
  e[3] = EV(2, "lock m0", o[0], NULL);
  e[4] = kit_event(2, "wait-arrive", o[1], (Kit){.mutex = o[0]}, NULL);
  e[5] = EV(0, "lock m0", o[0], e[4]);
  kit_exit(0, NULL);
  kit_begin(true, 0);
  pthread_t t[2];
  void *(*const routines[])(void *) = {rests, waits_on};
  for (int i = 0; i < 2; ++i) ok(rt_enf_pthread_create(e[i], &t[i], NULL, routines[i], NULL));
  ok(rt_enf_pthread_mutex_lock(e[5], &m));
  poll(NULL, 0, 50);
  const RtEdge edge = {0, RT_NONE32, "f", "f.c", "the branch that is not taken", 7, 3};
  rt_enf_leave(&edge);
  signal_once();
  for (int i = 0; i < 2; ++i) ok(pthread_join(t[i], NULL));
}

#define FREE(name)                \
  static void free_##name(void) { \
    going_on = true;              \
    name();                       \
  }
FREE(out_of_order)
FREE(wrong_object)
FREE(one_address)
FREE(wrong_outcome)
FREE(refused)
FREE(ends_early)
FREE(wrong_routine)
FREE(enters)
FREE(barrier_count)
FREE(stops)
FREE(stops_call)
FREE(circle)
FREE(spinning)
FREE(napping)

#define D "specialize: schedule 0 diverged: thread "
#define NAPS \
  "it waits for thread 1 (worker), which sleeps again and again, and nothing changes, before lock m0"
#define SPINS "it waits for thread 1 (worker), which reaches no event while threads run, before lock m0"
// clang-format off
#define BOTH(name, said) {#name, name, 66, said, false}, {"free_" #name, free_##name, 0, said, false}
// clang-format on
static const Scenario all[] = {
    BOTH(out_of_order,
         D "0 (main) at made.c:2 in routine: expected unlock m0 at made.c:1 in routine, saw lock m1\n"),
    BOTH(wrong_object, D "0 (main) at made.c:2 in routine: expected lock m0 at made.c:2 in routine, "
                         "saw another object at 0x"),
    BOTH(one_address, "expected lock m1 at made.c:2 in routine, saw m0 first instead of m1 second\n"),
    BOTH(wrong_outcome, "expected lock m0 = busy at made.c:0 in routine to end with EBUSY, saw ok\n"),
    BOTH(refused, "to end with ok, saw EBUSY\n"),
    BOTH(ends_early, D "1 (worker): expected lock m0 at made.c:101 in routine, saw the end of the thread\n"),
    BOTH(wrong_routine, "expected create at made.c:0 in routine, saw another routine\n"),
    {"wrong_thread", wrong_thread, 66, "expected join at made.c:3 in routine, saw another thread\n", false},
    BOTH(enters,
         "expected lock m0 at made.c:0 in routine, saw a call of another function from outside code\n"),
    BOTH(barrier_count, "saw a barrier for a different number of threads\n"),
    BOTH(stops, D "0 (main) at f.c:7 in f: expected unlock m0 at made.c:1 in routine, saw the branch that "
                  "is not taken\n"),
    BOTH(stops_call,
         "at f.c:7 in f: expected lock m0 at made.c:0 in routine, saw a call of the function at 0x"),
    BOTH(circle, "which waits for this thread in turn before lock m"),
    // Bare: ThreadSanitizer has a thread of its own that never stops.
    {"asleep", asleep, 66,
     "it waits for thread 1 (worker), which sleeps, like all other threads before lock m0", true},
    {"asleep_handled", asleep_handled, 0, "which sleeps, like all other threads before lock m0", true},
    {"barrier_alone", barrier_alone, 66, "not all threads reach the barrier, and all threads sleep", true},
    {"slow", slow, 0, NULL, false},
    {"spinning", spinning, 66, SPINS, true},
    {"free_spinning", free_spinning, 0, SPINS, true},
    {"napping", napping, 66, NAPS, true},
    {"free_napping", free_napping, 0, NAPS, true},
    {"long_held", long_held, 0, NULL, false},
    {"long_unwoken", long_unwoken, 0, NULL, false},
    {"barrier_halves", barrier_halves, 0, "diverged", false},
    {"wait_free", wait_free, 0, "diverged", false},
    {"rest_free", rest_free, 0, "diverged", false},
    {NULL, NULL, 0, NULL, false}};

int main(int argc, char **argv) {
  return kit_main(argc, argv, all);
}

// From the schedule to free running, in a program that may go on.
//
// Locks, semaphores and once flags are the real ones all along: whoever has them has them. Three things are
// ours: the order, conditions and barriers.
//
// The order: mode leaves ENF_ON, every thread's fast path is closed, and all parked threads are woken. Each
// finds itself not held any more, does its operation for real, and never publishes again what counts. A
// thread between its fast path and its publishing does both; nobody is misled: what it publishes has
// happened.
//
// Conditions: who was parked in a wait and has been signalled (its signal is published) takes its mutex and
// returns. Who has not goes into the real condition, with a mutex of its own, its proxy: the program's may be
// held by whoever converts. Only when all are there may anybody signal, or go on in code that may: nobody is
// woken for nothing, and no signal is lost.
//
// Barriers: see barrier.c. A round is complete before its barrier is closed, or takes place in the real one.
//
// The membarrier makes all running threads see their closed fast path at their next event; without it nothing
// would break, they would only be held a little longer. A thread that is yet to enter runs its original
// routine.
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

enum { MOST = 50000 };  // looks at another thread, 100 µs apart
static _Thread_local bool converts;

static void nap(unsigned looks) {
  if (looks < 100)
    sched_yield();
  else
    syscall(SYS_nanosleep, &(struct timespec){0, 100000}, NULL);
}

static bool is_between(void) {
  uint32_t mode = atomic_load(&enf.mode);
  return mode == ENF_CONVERTING || mode == ENF_SETTLED;
}

// A handler of a signal may run in a thread that the conversion itself waits for.
HIDDEN void enf_settle(void) {
  bool awaited =
      RT_MUTANT(LOSES_SIGNALS) || converts || (enf_self && atomic_load(&enf_self->waiting) != ENF_WAITS_NOT);
  int saved = errno;
  for (unsigned i = 0; !awaited && is_between(); ++i) nap(i);
  errno = saved;
}

static void wake_all(void) {
  for (uint32_t i = 0; !RT_MUTANT(SLEEPS_ON) && i < enf.schedule->threads; ++i) enf_futex_wake(i);
}

static void finish_signals(void) {
  for (uint32_t i = 0; !RT_MUTANT(LOSES_SIGNALS) && i < enf.schedule->threads; ++i)
    for (unsigned k = 0; k < MOST && atomic_load(&enf.threads[i].signalling); ++k) nap(k);
}

// Into the real condition it is when its proxy is free again.
static void see_off(EnfThread *t) {
  for (unsigned k = 0; k < MOST && atomic_load(&t->waiting) == ENF_WAITS; ++k) nap(k);
  if (atomic_load(&t->waiting) != ENF_WAITS_REAL) return;
  pthread_mutex_lock(&t->proxy);
  pthread_mutex_unlock(&t->proxy);
}

// The converting thread waits itself: others who want to change what it waits for need its mutex, mostly.
static void take_own(EnfThread *me) {
  for (unsigned k = 0; k < MOST / 10 && !me->relocked; ++k) {
    me->relocked = pthread_mutex_trylock(me->mutex) == 0;
    if (!me->relocked) nap(k);
  }
}

HIDDEN void enf_convert(void) {
  uint32_t on = ENF_ON;
  if (!atomic_compare_exchange_strong(&enf.mode, &on, ENF_CONVERTING)) return;
  int saved = errno;
  EnfThread *me = enf_self;
  converts = true;
  enf_special(ENF_SPECIAL_FREE);
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  RT_CHAOS_HERE();
  finish_signals();
  enf_barriers_close();
  atomic_store(&enf.mode, ENF_SETTLED);
  RT_CHAOS_HERE();
  enf_rest_over();
  wake_all();
  for (uint32_t i = 0; !RT_MUTANT(SLEEPS_ON) && i < enf.schedule->threads; ++i)
    if (&enf.threads[i] != me) see_off(&enf.threads[i]);
  if (me && atomic_load(&me->waiting) == ENF_WAITS) take_own(me);
  atomic_store(&enf.mode, ENF_FREE);
  RT_CHAOS_HERE();
  wake_all();
  converts = false;
  errno = saved;
}

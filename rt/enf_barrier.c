// Barriers of our own: a counter of arrivals, from the first round on. A thread departs from round r when
// (r + 1) * threads have arrived; the schedule says who is told to be the serial one, and its edges keep
// newcomers from arriving in a round that is not theirs.
//
// The real barrier is not used, but its number of threads is compared: it may depend on the input. Where the
// C library's barriers do not look as we know them, nothing is compared, and the real one is used beside
// ours.
#include "enf.h"

static _Atomic uint32_t *arrived;  // by object

enum { COUNT_AT = 2 };  // of the words of a pthread_barrier_t

static uint32_t word_of(const void *barrier, int i) {
  return ((const volatile uint32_t *)barrier)[i];
}

HIDDEN bool enf_barriers_make(const RtSchedule *s) {
  enum { SOME = 0x1a2b3c };
  pthread_barrier_t b;
  if (pthread_barrier_init(&b, NULL, SOME)) return false;
  enf.own_barriers = word_of(&b, COUNT_AT) == SOME;
  pthread_barrier_destroy(&b);
  arrived = enf_memory(s->objects * sizeof *arrived + 1);
  return arrived;
}

HIDDEN uint32_t enf_barrier_count(const void *barrier, uint32_t unknown) {
  return enf.own_barriers ? word_of(barrier, COUNT_AT) : unknown;
}

static uint32_t full(const RtNode *n) {
  return (n->round + 1) * enf.schedule->object[n->object].amount;
}

static bool complete(const RtNode *n) {
  return atomic_load(&arrived[n->object]) >= full(n);
}

static void wake_all(uint32_t object) {
  int saved = errno;
  for (uint32_t i = 0; i < enf.schedule->threads; ++i)
    if (atomic_load(&enf.threads[i].barrier) == object) enf_futex_wake(i);
  errno = saved;
}

int rt_enf_pthread_barrier_wait(const RtNode *n, pthread_barrier_t *b) {
  if (!enf_arrive(n, b)) return pthread_barrier_wait(b);
  if (!n->depart) {
    int e = pthread_barrier_wait(b);
    enf_finish(n, e);
    return e;
  }
  uint32_t now = atomic_fetch_add(&arrived[n->object], 1) + 1;
  enf_done(n);
  if (now == full(n)) wake_all(n->object);
  if (!complete(n) && !enf_park_barrier(n->depart, n->object, complete)) return pthread_barrier_wait(b);
  if (enf_waits(n->depart)) enf_done(n->depart);
  return n->depart->outcome == RT_ENF_SERIAL ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

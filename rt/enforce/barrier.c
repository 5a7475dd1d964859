// Barriers of our own: a counter of arrivals, from the first round on. A thread departs from round r when
// (r + 1) * threads have arrived; the schedule says who is told to be the serial one, and its edges keep
// newcomers from arriving in a round that is not theirs.
//
// The real barrier is not used as long as the schedule holds, but its number of threads is compared: it may
// depend on the input. (Where the C library's barriers do not look as we know them, it cannot be.)
//
// When the run becomes free, CLOSED is set in every counter, in one step with whatever is counted: who
// arrives later finds it and goes to the real barrier. A round that was complete by then is complete, and its
// threads depart. Of one that was not, nobody has departed, and all its threads go to the real barrier, which
// has not been used and lets them go when the others have come.
#include "enf.h"
#include "rt/shape.h"

static _Atomic uint64_t *arrived;  // by object
#define CLOSED (UINT64_C(1) << 63)

enum { COUNT_AT = 2 };  // of the words of a pthread_barrier_t
static bool count_known;

static uint32_t word_of(const void *barrier, int i) {
  return ((const volatile uint32_t *)barrier)[i];
}

HIDDEN bool enf_barriers_make(const RtSchedule *s) {
  enum { SOME = 0x1a2b3c };
  pthread_barrier_t b;
  if (pthread_barrier_init(&b, NULL, SOME)) return false;
  count_known = word_of(&b, COUNT_AT) == SOME;
  pthread_barrier_destroy(&b);
  arrived = enf_memory((s->objects + 1) * sizeof *arrived);
  return arrived;
}

HIDDEN uint32_t enf_barrier_count(const void *barrier, uint32_t unknown) {
  return count_known ? word_of(barrier, COUNT_AT) : unknown;
}

HIDDEN void enf_barriers_close(void) {
  if (RT_MUTANT(BARRIER_OPEN)) return;
  for (uint32_t i = 0; i < enf.schedule->objects; ++i)
    if (enf.schedule->object[i].family == RT_BARRIER) atomic_fetch_or(&arrived[i], CLOSED);
}

static uint64_t full(const RtNode *n) {
  return (n->round + UINT64_C(1)) * enf.schedule->object[n->object].amount;
}

static bool complete(const RtNode *n) {
  return (atomic_load(&arrived[n->object]) & ~CLOSED) >= full(n);
}
static bool decided(const RtNode *n) {
  return complete(n) || atomic_load(&arrived[n->object]) & CLOSED;
}

static void wake_all(uint32_t object) {
  int saved = errno;
  for (uint32_t i = 0; i < enf.schedule->threads; ++i)
    if (atomic_load(&enf.threads[i].barrier) == object) enf_futex_wake(i);
  errno = saved;
}

// False: it is closed, and nothing was counted.
static bool arrive(const RtNode *n) {
  uint64_t a = atomic_load(&arrived[n->object]);
  enf_note(n);  // counting publishes it for those of its round
  do {
    if (a & CLOSED) return false;
  } while (!atomic_compare_exchange_weak(&arrived[n->object], &a, a + 1));
  RT_CHAOS_HERE();
  enf_publish(n);
  if (a + 1 == full(n) && !RT_MUTANT(BARRIER_ASLEEP)) wake_all(n->object);
  return true;
}

// The process ended before it departed, and will here. Where it goes on free instead, whoever was to be told
// to be the serial one of a complete round is not known: nobody is, of those that come this way. Waiting at a
// barrier is no cancellation point.
static int stay(const RtNode *n, pthread_barrier_t *b) {
  int before, unused;
  if (!arrive(n)) return pthread_barrier_wait(b);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  enf_rest();
  pthread_setcancelstate(before, &unused);
  while (!decided(n)) sched_yield();  // just being closed
  return complete(n) ? 0 : pthread_barrier_wait(b);
}

// Other processes arrive there too: only the real one knows of them, and who is the serial one among all.
static int shared_wait(const RtNode *n, pthread_barrier_t *b) {
  const RtNode *d = n->depart;
  enf_done(n);
  int e = pthread_barrier_wait(b);
  bool departs = e == 0 || e == PTHREAD_BARRIER_SERIAL_THREAD;
  if (d && enf_on() && enf_waits(d)) enf_finish(d, departs ? d->outcome : e);
  return e;
}

int rt_enf_pthread_barrier_wait(const RtNode *n, pthread_barrier_t *b) {
  if (!enf_arrive(n, b)) return pthread_barrier_wait(b);
  const RtNode *d = n->depart;
  if (!n->outcome && shape_is_shared(RT_BARRIER, b)) return shared_wait(n, b);
  if (!d && !n->outcome) return stay(n, b);
  if (!d) {
    int e = pthread_barrier_wait(b);
    enf_finish(n, e);
    return e;
  }
  if (!arrive(n)) return pthread_barrier_wait(b);
  if (!complete(n)) enf_park_barrier(n, decided);
  while (!decided(n)) sched_yield();  // just being closed
  if (!complete(n) || (RT_MUTANT(BARRIER_TWICE) && !enf_on())) return pthread_barrier_wait(b);
  if (enf_waits(d)) enf_done(d);
  return d->outcome == RT_ENF_SERIAL ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// rt/enforce/inline -- what an event costs where nothing is special: two compares, one for each edge, the
// real operation, a store and a load. The node is a constant where this is inlined, so that all but the
// addresses folds. Everything else is one call of the same operation's slow path.
//
// Publishing is a store followed by a load of `attention`, without a fence: who parks calls membarrier
// between writing `attention` and reading what was published (wait.c).
#pragma once
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "rt/atomic.h"
#include "rt/enforce.h"

#define RT_LIKELY(x) __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RT_INLINE static inline __attribute__((always_inline))
#define RT_UNWRAP(...) __VA_ARGS__
#define RT_COLD __attribute__((cold, visibility("hidden")))

// They are in the same program, so no table of addresses is between.
extern RtThr rt_enf_threads[] __attribute__((visibility("hidden")));
extern _Atomic(const void *) rt_enf_objects[] __attribute__((visibility("hidden")));

// The slow path, all of it; and the rest of an operation that ended otherwise than recorded, with r.
#define HOT(result, name, object, first, args, ...)            \
  RT_COLD int rt_enf_slow_##name(const RtNode *, __VA_ARGS__); \
  RT_COLD int rt_enf_rest_##name(const RtNode *, __VA_ARGS__, int r);
#include "rt/real.def"
// Somebody is parked until this thread publishes what it just has.
RT_COLD void rt_enf_wake(uint32_t thread);

// For tests only. Chaos: now and then a thread sleeps where it would hurt most. Mutants: known mistakes, one
// of which a test switches on, and must find.
#ifdef RT_CHAOS
RT_COLD void rt_enf_chaos(void);
#define RT_CHAOS_HERE() rt_enf_chaos()
#else
#define RT_CHAOS_HERE() ((void)0)
#endif
#ifdef RT_MUTANTS
typedef enum {
  RT_NO_MUTANT,
#define MUTANT(name) RT_##name,
#include "mutants.def"
  RT_ALL_MUTANTS
} RtMutant;
extern RtMutant rt_enf_mutant;
// "", 0: none. fences: as where there is no membarrier.
RT_COLD void rt_enf_test(const char *mutant, uint32_t chaos, bool fences);
RT_COLD const char *rt_enf_mutant_name(uint32_t i);  // NULL: no more
extern bool rt_enf_fences;
#define RT_MUTANT(name) (rt_enf_mutant == RT_##name)
#else
#define RT_MUTANT(name) false
#endif

// Two loads and one branch. One load of both words would have to wait for the store of `published` just
// before it, as the processor cannot forward half a word (docs/decisions.md).
RT_INLINE bool rt_in_turn(const RtNode *n) {
  const RtThr *me = &rt_enf_threads[n->thread];
  uint32_t published = atomic_load_explicit(&me->published, memory_order_relaxed);
  return ((published ^ n->before) | atomic_load_explicit(&me->special, memory_order_relaxed)) == 0;
}

RT_INLINE bool rt_passed(RtWait w) {
  return atomic_load_explicit(&rt_enf_threads[w.thread].published, memory_order_acquire) >= w.need;
}

// It is this thread's next event, on the object it should be, and all that it comes after has happened.
RT_INLINE bool rt_ready(const RtNode *n, const void *object) {
  RT_CHAOS_HERE();
  if (RT_UNLIKELY(!rt_in_turn(n))) return false;
  if (n->object != RT_NONE32 &&
      RT_UNLIKELY(atomic_load_explicit(&rt_enf_objects[n->object], memory_order_relaxed) != object))
    return false;
  if (n->waits > 0 && RT_UNLIKELY(!rt_passed(n->wait[0]))) return false;
  if (n->waits > 1 && RT_UNLIKELY(!rt_passed(n->wait[1]))) return false;
  if (n->waits > 2 && RT_UNLIKELY(!rt_passed(n->wait[2]))) return false;
  for (uint32_t i = 3; i < n->waits; ++i)
    if (RT_UNLIKELY(!rt_passed(n->wait[i]))) return false;
  return true;
}

// attention is 0, or the least that somebody parked is waiting for.
RT_INLINE void rt_publish(const RtNode *n) {
  RtThr *me = &rt_enf_threads[n->thread];
  uint32_t now = n->position + 1;
  RT_CHAOS_HERE();
  atomic_store_explicit(&me->published, now, memory_order_release);
  atomic_signal_fence(memory_order_seq_cst);
  if (RT_UNLIKELY(atomic_load_explicit(&me->attention, memory_order_relaxed) - 1 < now) &&
      !RT_MUTANT(NEVER_WAKES))
    rt_enf_wake(n->thread);
}

RT_INLINE int rt_outcome_ERROR(int r) {
  return r;
}
RT_INLINE int rt_outcome_ERRNO(int r) {
  return r ? errno : 0;
}
RT_INLINE int rt_outcome_WAITS(int r) {
  return r ? errno : 0;
}
RT_INLINE int rt_outcome_THRD(int r) {
  return r == thrd_success    ? 0
         : r == thrd_busy     ? EBUSY
         : r == thrd_timedout ? ETIMEDOUT
         : r == thrd_nomem    ? ENOMEM
                              : RT_ENF_FAILED;
}

// A time that no clock shows: the real function refuses it before it looks whether it has to wait.
RT_INLINE bool rt_no_time(const struct timespec *until) {
  return until->tv_nsec < 0 || until->tv_nsec >= 1000000000;
}

// What an atomic operation read when it was recorded: a node without a mutex holds it, if it is known.
RT_INLINE bool rt_as_recorded(const RtNode *n, uint64_t was) {
  return n->mutex == RT_NONE32 || was == (n->round | (uint64_t)n->waker << 32);
}
RT_COLD uint64_t rt_enf_slow_atomic(const RtNode *n, int what, volatile void *p, uint64_t a, uint64_t b,
                                    unsigned bytes, uint32_t how);
RT_COLD void rt_enf_slow_fence(const RtNode *n);
RT_COLD void rt_enf_other_value(const RtNode *n);

// An acquire that a signal had interrupted: it took nothing, and the signal does not come again at this
// place.
RT_INLINE bool rt_sem_refused(const RtNode *n) {
  if (n->outcome == EINTR) errno = EINTR;
  return n->outcome == EINTR;
}

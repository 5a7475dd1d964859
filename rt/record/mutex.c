// Mutexes and spin locks. Who holds one takes the next number with plain loads and stores.
#include <errno.h>
#include "rec.h"

// The number of a lock just taken; held. When the recorder thought that somebody else has it, that one gave
// it back unseen, or the object was made anew without init.
static inline void taken(RtThread *t, bool was, uint32_t id, Cell *c, RtSite site, RtOp op, int outcome) {
  uint32_t me = t->id + 1, owner = cell_owner(c), extra = 0;
  uint64_t w = cell_word(c), held = w + CELL_ONE + 1;
  if (unlikely(owner && owner != me)) {
    held = (w & ~(CELL_ONE - 1)) + CELL_ONE + 1;
    if (outcome != EOWNERDEAD) extra = RT_FOREIGN;
  }
  atomic_store_explicit(&c->word, held, memory_order_relaxed);
  cell_own(c, me);
  log_held(t, was, code_number(site, id, w, op, outcome, extra));
}

// Where in the order a refused attempt belongs: any moment at which it was held while the attempt lasted.
// `before` and `after` are the cell at its two ends. False: no number tells, because the lock is just being
// taken or given back, or is held by code without hooks.
static bool refused_at(uint64_t before, uint64_t after, uint64_t *when) {
  *when = (uint32_t)before ? before : after;
  if ((uint32_t)*when) return true;
  *when = before + CELL_ONE;  // the first that came is a lock
  return after != before;
}

// After an attempt that ended in e; held, and not any more afterwards. False: no number tells, try again.
// That a try-lock was tried twice is nothing that its caller could see.
static bool attempted(RtThread *t, bool was, Cell *c, RtSite site, uint64_t before, int e, int tries) {
  uint32_t id = atomic_load_explicit(&c->id, memory_order_relaxed);
  uint64_t when;
  if (e == 0 || e == EOWNERDEAD)
    taken(t, was, id, c, site, RT_LOCK, e);
  else if (e != EBUSY && e != ETIMEDOUT)
    log_held(t, was, code_number(site, id, before, RT_LOCK, outcome_of_error(e), RT_LOOSE));
  else if (refused_at(before, cell_look(c), &when))
    log_held(t, was, code_number(site, id, when, RT_LOCK, e, RT_SEEN));
  else if (log_again(t, was, c, tries))
    return false;
  else
    log_held(t, was, code_number(site, id, before, RT_LOCK, e, RT_LOOSE | RT_UNSURE));
  return true;
}

// Whether the mutex itself notices that a stranger unlocks it.
static bool refuses_strangers(const pthread_mutex_t *m) {
#ifdef __GLIBC__
  enum { ROBUST = 16 };
  int kind = m ? m->__data.__kind : 0;
  return (kind & 3) == PTHREAD_MUTEX_RECURSIVE || (kind & 3) == PTHREAD_MUTEX_ERRORCHECK || kind & ROBUST;
#else
  (void)m;
  return false;
#endif
}

// Giving back is written down before it is done: whatever follows from it, it is in the recording then. After
// it another thread may have destroyed the object.
static inline void give_known(RtThread *t, Cell *c, RtSite site, RtOp op) {
  uint32_t id = cell_id(t, c);
  bool was = log_hold(t);
  uint64_t w = cell_word(c);
  if (likely((uint32_t)w == 1)) cell_own(c, 0);
  atomic_store_explicit(&c->word, w + CELL_ONE - 1, memory_order_relaxed);
  log_held(t, was, code_number(site, id, w, op, RT_OK, 0));
}

// Locked by code without hooks, or by another thread (which works for some mutexes), or a mistake. False: it
// may be refused, and has to be written down afterwards.
static __attribute__((noinline)) bool give_foreign(RtThread *t, Cell *c, RtSite site,
                                                   const pthread_mutex_t *m) {
  if (refuses_strangers(m)) return false;
  uint32_t id = cell_id(t, c);
  bool was = log_hold(t);
  uint64_t w = cell_look(c);
  while (!atomic_compare_exchange_weak(&c->word, &w, (w & ~(CELL_ONE - 1)) + CELL_ONE)) continue;
  cell_own(c, 0);
  log_held(t, was, code_number(site, id, w, RT_UNLOCK, RT_OK, RT_FOREIGN));
  return true;
}

// m: NULL for what never refuses.
static inline bool give(RtThread *t, Cell *c, RtSite site, const pthread_mutex_t *m) {
  if (unlikely(cell_owner(c) != t->id + 1)) return give_foreign(t, c, site, m);
  give_known(t, c, site, RT_UNLOCK);
  return true;
}

static void given(RtThread *t, Cell *c, RtSite site, bool logged, int outcome) {
  if (outcome != RT_OK) {
    log_loose(t, site, RT_UNLOCK, c, outcome, 0);
  } else if (!logged) {
    uint32_t id = cell_id(t, c);
    bool was = log_hold(t);
    log_held(t, was, code_number(site, id, cell_add(c, CELL_ONE), RT_UNLOCK, RT_OK, RT_FOREIGN));
  }
}

static uint32_t type_of(const pthread_mutexattr_t *a) {
  int type = PTHREAD_MUTEX_DEFAULT, robust = 0, shared = 0, protocol = 0;
  if (a) {
    pthread_mutexattr_gettype(a, &type);
    pthread_mutexattr_getrobust(a, &robust);
    pthread_mutexattr_getpshared(a, &shared);
    pthread_mutexattr_getprotocol(a, &protocol);
  }
  return (uint32_t)(type | (robust ? RT_ROBUST : 0) | (shared ? RT_SHARED : 0) |
                    protocol << RT_PROTOCOL_SHIFT);
}

int rt_rec_pthread_mutex_init(RtSite site, pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  RtThread *t = rec_enter();
  int e = pthread_mutex_init(m, a);
  if (t && !e) cell_begin(t, cell_of(t, m, RT_MUTEX), site, type_of(a));
  return e;
}

int rt_rec_pthread_mutex_destroy(RtSite site, pthread_mutex_t *m) {
  RtThread *t = rec_enter();
  int e = pthread_mutex_destroy(m);
  if (t && !e) cell_end(t, cell_of(t, m, RT_MUTEX), site);
  return e;
}

int rt_rec_pthread_mutex_lock(RtSite site, pthread_mutex_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_mutex_lock(m);
  Cell *c = cell_of(t, m, RT_MUTEX);
  uint32_t id = cell_id(t, c);
  rec_stand(t, RT_STAND_LOCK, site, id, RT_MUTEX, m);
  int e = pthread_mutex_lock(m);
  rec_go_on(t);
  bool was = log_hold(t);
  if (likely(!e))
    taken(t, was, id, c, site, RT_LOCK, RT_OK);
  else
    attempted(t, was, c, site, cell_look(c), e, REC_TRIES);
  return e;
}

int rt_rec_pthread_mutex_trylock(RtSite site, pthread_mutex_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_mutex_trylock(m);
  Cell *c = cell_of(t, m, RT_MUTEX);
  cell_id(t, c);
  for (int tries = 0;; ++tries) {
    bool was = log_hold(t);
    uint64_t before = cell_look(c);
    int e = pthread_mutex_trylock(m);
    if (attempted(t, was, c, site, before, e, tries)) return e;
  }
}

// After a timed lock with the result e. Where no number tells why, it is tried again.
static int timed(RtThread *t, Cell *c, RtSite site, pthread_mutex_t *m, int e) {
  cell_id(t, c);
  bool was = log_hold(t);
  uint64_t before = cell_look(c);
  for (int tries = 0; !attempted(t, was, c, site, before, e, tries); ++tries) {
    was = log_hold(t);
    before = cell_look(c);
    e = pthread_mutex_trylock(m);
    if (e == EBUSY) e = ETIMEDOUT;
  }
  return e;
}

int rt_rec_pthread_mutex_timedlock(RtSite site, pthread_mutex_t *m, const struct timespec *until) {
  RtThread *t = rec_enter();
  int e = pthread_mutex_timedlock(m, until);
  return t ? timed(t, cell_of(t, m, RT_MUTEX), site, m, e) : e;
}

int rt_rec_pthread_mutex_clocklock(RtSite site, pthread_mutex_t *m, clockid_t clock,
                                   const struct timespec *until) {
  RtThread *t = rec_enter();
  int e = pthread_mutex_clocklock(m, clock, until);
  return t ? timed(t, cell_of(t, m, RT_MUTEX), site, m, e) : e;
}

int rt_rec_pthread_mutex_unlock(RtSite site, pthread_mutex_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_mutex_unlock(m);
  Cell *c = cell_of(t, m, RT_MUTEX);
  bool logged = give(t, c, site, m);
  int e = pthread_mutex_unlock(m);
  if (unlikely(e || !logged)) given(t, c, site, logged, outcome_of_error(e));
  return e;
}

int rt_rec_pthread_spin_init(RtSite site, pthread_spinlock_t *m, int shared) {
  RtThread *t = rec_enter();
  int e = pthread_spin_init(m, shared);
  if (t && !e) cell_begin(t, cell_of(t, (const void *)(uintptr_t)m, RT_SPIN), site, shared ? RT_SHARED : 0);
  return e;
}

int rt_rec_pthread_spin_destroy(RtSite site, pthread_spinlock_t *m) {
  RtThread *t = rec_enter();
  int e = pthread_spin_destroy(m);
  if (t && !e) cell_end(t, cell_of(t, (const void *)(uintptr_t)m, RT_SPIN), site);
  return e;
}

int rt_rec_pthread_spin_lock(RtSite site, pthread_spinlock_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_spin_lock(m);
  Cell *c = cell_of(t, (const void *)(uintptr_t)m, RT_SPIN);
  uint32_t id = cell_id(t, c);
  rec_stand(t, RT_STAND_LOCK, site, id, RT_SPIN, (const void *)(uintptr_t)m);
  int e = pthread_spin_lock(m);
  rec_go_on(t);
  bool was = log_hold(t);
  if (likely(!e))
    taken(t, was, id, c, site, RT_LOCK, RT_OK);
  else
    attempted(t, was, c, site, cell_look(c), e, REC_TRIES);
  return e;
}

int rt_rec_pthread_spin_trylock(RtSite site, pthread_spinlock_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_spin_trylock(m);
  Cell *c = cell_of(t, (const void *)(uintptr_t)m, RT_SPIN);
  cell_id(t, c);
  for (int tries = 0;; ++tries) {
    bool was = log_hold(t);
    uint64_t before = cell_look(c);
    int e = pthread_spin_trylock(m);
    if (attempted(t, was, c, site, before, e, tries)) return e;
  }
}

int rt_rec_pthread_spin_unlock(RtSite site, pthread_spinlock_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_spin_unlock(m);
  Cell *c = cell_of(t, (const void *)(uintptr_t)m, RT_SPIN);
  give(t, c, site, NULL);
  int e = pthread_spin_unlock(m);
  if (unlikely(e)) given(t, c, site, true, outcome_of_error(e));
  return e;
}

int rt_rec_mtx_init(RtSite site, mtx_t *m, int type) {
  RtThread *t = rec_enter();
  int r = mtx_init(m, type);
  uint32_t kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  if (t && r == thrd_success) cell_begin(t, cell_of(t, m, RT_MUTEX), site, kind);
  return r;
}

void rt_rec_mtx_destroy(RtSite site, mtx_t *m) {
  RtThread *t = rec_enter();
  mtx_destroy(m);
  if (t) cell_end(t, cell_of(t, m, RT_MUTEX), site);
}

int rt_rec_mtx_lock(RtSite site, mtx_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return mtx_lock(m);
  Cell *c = cell_of(t, m, RT_MUTEX);
  rec_stand(t, RT_STAND_LOCK, site, cell_id(t, c), RT_MUTEX, m);
  int r = mtx_lock(m);
  rec_go_on(t);
  bool was = log_hold(t);
  attempted(t, was, c, site, cell_look(c), outcome_of_thrd(r), REC_TRIES);
  return r;
}

int rt_rec_mtx_trylock(RtSite site, mtx_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return mtx_trylock(m);
  Cell *c = cell_of(t, m, RT_MUTEX);
  cell_id(t, c);
  for (int tries = 0;; ++tries) {
    bool was = log_hold(t);
    uint64_t before = cell_look(c);
    int r = mtx_trylock(m);
    if (attempted(t, was, c, site, before, outcome_of_thrd(r), tries)) return r;
  }
}

int rt_rec_mtx_timedlock(RtSite site, mtx_t *m, const struct timespec *until) {
  RtThread *t = rec_enter();
  int r = mtx_timedlock(m, until);
  if (!t) return r;
  int e = timed(t, cell_of(t, m, RT_MUTEX), site, (pthread_mutex_t *)m, outcome_of_thrd(r));
  return e ? r : thrd_success;
}

int rt_rec_mtx_unlock(RtSite site, mtx_t *m) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return mtx_unlock(m);
  Cell *c = cell_of(t, m, RT_MUTEX);
  bool logged = give(t, c, site, (pthread_mutex_t *)m);
  int r = mtx_unlock(m);
  given(t, c, site, logged, outcome_of_thrd(r));
  return r;
}

// A condition wait gives the mutex back once and takes it again. True: it was known to be held.
HIDDEN bool mutex_release(RtThread *t, RtSite site, pthread_mutex_t *m) {
  Cell *c = cell_of(t, m, RT_MUTEX);
  bool mine = cell_owner(c) == t->id + 1;
  if (mine)
    give_known(t, c, site, RT_RELEASE);
  else
    log_loose(t, site, RT_RELEASE, c, RT_OK, RT_FOREIGN);
  return mine;
}

// Mine: what mutex_release said. The wait ended with an outcome; some errors mean that it never began.
HIDDEN void mutex_reacquire(RtThread *t, RtSite site, pthread_mutex_t *m, bool mine, int outcome) {
  Cell *c = cell_of(t, m, RT_MUTEX);
  if (!mine && (outcome == EPERM || outcome == EINVAL)) {
    log_loose(t, site, RT_REACQUIRE, c, outcome, 0);
  } else {
    uint32_t id = cell_id(t, c);
    bool was = log_hold(t);
    taken(t, was, id, c, site, RT_REACQUIRE, outcome);
  }
}

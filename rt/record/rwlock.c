// Read-write locks. Readers share them, so that every number is an atomic addition; it is taken while the
// thread holds the lock.
#include <errno.h>
#include "rec.h"

static Cell *rwlock_of(RtThread *t, const pthread_rwlock_t *l) {
  return cell_of(t, l, RT_RWLOCK);
}

// FOREIGN: who held it against the recorder's knowledge gave it back unseen. Held.
static void taken(RtThread *t, bool was, uint32_t id, Cell *c, RtSite site, RtOp op) {
  bool writer = op == RT_LOCK, foreign;
  uint64_t w = cell_add(c, CELL_ONE + (writer ? CELL_WRITER : 1));
  if (writer) {
    cell_own(c, t->id + 1);
    foreign = (uint32_t)w;
    if (foreign) atomic_store(&c->word, (w & ~(CELL_ONE - 1)) + CELL_ONE + CELL_WRITER);
  } else {
    foreign = (uint32_t)w & CELL_WRITER;
    if (foreign) atomic_fetch_and(&c->word, ~(uint64_t)CELL_WRITER);
  }
  log_held(t, was, code_number(site, id, w, op, RT_OK, foreign ? RT_FOREIGN : 0));
}

// A reader is refused by a writer, a writer by anybody. As refused_at in mutex.c.
static bool refused_at(RtOp op, uint64_t before, uint64_t after, uint64_t *when) {
  uint32_t by = op == RT_LOCK ? UINT32_MAX : CELL_WRITER;
  *when = (uint32_t)before & by ? before : after;
  if ((uint32_t)*when & by) return true;
  *when = before + CELL_ONE;  // the first that came is a lock
  return op == RT_LOCK && after != before;
}

// As in mutex.c.
static bool attempted(RtThread *t, bool was, Cell *c, RtSite site, RtOp op, uint64_t before, int e,
                      int tries) {
  uint32_t id = atomic_load_explicit(&c->id, memory_order_relaxed);
  uint64_t when;
  if (e == 0)
    taken(t, was, id, c, site, op);
  else if (e != EBUSY && e != ETIMEDOUT)
    log_held(t, was, code_number(site, id, before, op, outcome_of_error(e), RT_LOOSE));
  else if (refused_at(op, before, cell_look(c), &when))
    log_held(t, was, code_number(site, id, when, op, e, RT_SEEN));
  else if (log_again(t, was, c, tries))
    return false;
  else
    log_held(t, was, code_number(site, id, before, op, e, RT_LOOSE | RT_UNSURE));
  return true;
}

int rt_rec_pthread_rwlock_init(RtSite site, pthread_rwlock_t *l, const pthread_rwlockattr_t *a) {
  RtThread *t = rec_enter();
  int shared = 0, e = pthread_rwlock_init(l, a);
  if (a) pthread_rwlockattr_getpshared(a, &shared);
  if (t && !e) cell_begin(t, rwlock_of(t, l), site, shared ? RT_SHARED : 0);
  return e;
}

int rt_rec_pthread_rwlock_destroy(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  int e = pthread_rwlock_destroy(l);
  if (t && !e) cell_end(t, rwlock_of(t, l), site);
  return e;
}

// After a lock that blocks, or a timed one, with the result e.
static int waited(RtThread *t, Cell *c, RtSite site, RtOp op, pthread_rwlock_t *l, int e) {
  cell_id(t, c);
  bool was = log_hold(t);
  uint64_t before = cell_look(c);
  for (int tries = 0; !attempted(t, was, c, site, op, before, e, tries); ++tries) {
    was = log_hold(t);
    before = cell_look(c);
    e = op == RT_LOCK ? pthread_rwlock_trywrlock(l) : pthread_rwlock_tryrdlock(l);
    if (e == EBUSY) e = ETIMEDOUT;
  }
  return e;
}

int rt_rec_pthread_rwlock_rdlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (t) rec_stand(t, RT_STAND_RDLOCK, site, cell_id(t, rwlock_of(t, l)), RT_RWLOCK, l);
  int e = pthread_rwlock_rdlock(l);
  if (t) rec_go_on(t);
  return t ? waited(t, rwlock_of(t, l), site, RT_RDLOCK, l, e) : e;
}

int rt_rec_pthread_rwlock_wrlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (t) rec_stand(t, RT_STAND_LOCK, site, cell_id(t, rwlock_of(t, l)), RT_RWLOCK, l);
  int e = pthread_rwlock_wrlock(l);
  if (t) rec_go_on(t);
  return t ? waited(t, rwlock_of(t, l), site, RT_LOCK, l, e) : e;
}

int rt_rec_pthread_rwlock_timedrdlock(RtSite site, pthread_rwlock_t *l, const struct timespec *until) {
  RtThread *t = rec_enter();
  int e = pthread_rwlock_timedrdlock(l, until);
  return t ? waited(t, rwlock_of(t, l), site, RT_RDLOCK, l, e) : e;
}

int rt_rec_pthread_rwlock_timedwrlock(RtSite site, pthread_rwlock_t *l, const struct timespec *until) {
  RtThread *t = rec_enter();
  int e = pthread_rwlock_timedwrlock(l, until);
  return t ? waited(t, rwlock_of(t, l), site, RT_LOCK, l, e) : e;
}

int rt_rec_pthread_rwlock_clockrdlock(RtSite site, pthread_rwlock_t *l, clockid_t clock,
                                      const struct timespec *until) {
  RtThread *t = rec_enter();
  int e = pthread_rwlock_clockrdlock(l, clock, until);
  return t ? waited(t, rwlock_of(t, l), site, RT_RDLOCK, l, e) : e;
}

int rt_rec_pthread_rwlock_clockwrlock(RtSite site, pthread_rwlock_t *l, clockid_t clock,
                                      const struct timespec *until) {
  RtThread *t = rec_enter();
  int e = pthread_rwlock_clockwrlock(l, clock, until);
  return t ? waited(t, rwlock_of(t, l), site, RT_LOCK, l, e) : e;
}

int rt_rec_pthread_rwlock_tryrdlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_tryrdlock(l);
  Cell *c = rwlock_of(t, l);
  cell_id(t, c);
  for (int tries = 0;; ++tries) {
    bool was = log_hold(t);
    uint64_t before = cell_look(c);
    int e = pthread_rwlock_tryrdlock(l);
    if (attempted(t, was, c, site, RT_RDLOCK, before, e, tries)) return e;
  }
}

int rt_rec_pthread_rwlock_trywrlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_trywrlock(l);
  Cell *c = rwlock_of(t, l);
  cell_id(t, c);
  for (int tries = 0;; ++tries) {
    bool was = log_hold(t);
    uint64_t before = cell_look(c);
    int e = pthread_rwlock_trywrlock(l);
    if (attempted(t, was, c, site, RT_LOCK, before, e, tries)) return e;
  }
}

// Given back by whoever holds it: one writer or some readers. FOREIGN: nobody is known to.
int rt_rec_pthread_rwlock_unlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_unlock(l);
  Cell *c = rwlock_of(t, l);
  uint32_t id = cell_id(t, c);
  bool was = log_hold(t);
  uint32_t held = (uint32_t)cell_look(c);
  bool writer = held & CELL_WRITER;
  if (writer) cell_own(c, 0);
  uint64_t w = cell_add(c, held ? CELL_ONE - (writer ? CELL_WRITER : 1) : CELL_ONE);
  log_held(t, was, code_number(site, id, w, RT_UNLOCK, RT_OK, held ? 0 : RT_FOREIGN));
  int e = pthread_rwlock_unlock(l);
  if (unlikely(e)) log_loose(t, site, RT_UNLOCK, c, outcome_of_error(e), 0);
  return e;
}

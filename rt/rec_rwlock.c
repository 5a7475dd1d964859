// Read-write locks. Readers share them, so that every number is an atomic addition; it is taken while the
// thread holds the lock.
#include <errno.h>
#include "rec.h"

static Cell *rwlock_of(RtThread *t, const pthread_rwlock_t *l) {
  return cell_of(t, l, RT_RWLOCK);
}

// FOREIGN: who held it against the recorder's knowledge gave it back unseen.
static void taken(RtThread *t, Cell *c, RtSite site, RtOp op) {
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
  log_number(t, site, op, c, w, RT_OK, foreign ? RT_FOREIGN : 0);
}

// A reader is refused by a writer, a writer by anybody.
static bool refusing(uint64_t w, RtOp op) {
  return (uint32_t)w & (op == RT_LOCK ? UINT32_MAX : CELL_WRITER);
}

// As in rec_mutex.c.
static bool attempted(RtThread *t, Cell *c, RtSite site, RtOp op, uint64_t before, int e, int tries) {
  if (e == 0) return taken(t, c, site, op), true;
  if (e != EBUSY && e != ETIMEDOUT) return log_loose(t, site, op, c, outcome_of_error(e)), true;
  uint64_t after = cell_look(c);
  if (refusing(before, op)) return log_number(t, site, op, c, before, e, RT_SEEN), true;
  if (refusing(after, op)) return log_number(t, site, op, c, after, e, RT_SEEN), true;
  if (op == RT_LOCK && after != before)
    return log_number(t, site, op, c, before + CELL_ONE, e, RT_SEEN), true;
  if (cell_again(t, c, tries)) return false;
  return log_number(t, site, op, c, before, e, RT_LOOSE | RT_UNSURE), true;
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

int rt_rec_pthread_rwlock_rdlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_rdlock(l);
  int e = pthread_rwlock_rdlock(l);
  attempted(t, rwlock_of(t, l), site, RT_RDLOCK, 0, e, REC_TRIES);
  return e;
}

int rt_rec_pthread_rwlock_wrlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_wrlock(l);
  int e = pthread_rwlock_wrlock(l);
  attempted(t, rwlock_of(t, l), site, RT_LOCK, 0, e, REC_TRIES);
  return e;
}

int rt_rec_pthread_rwlock_tryrdlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_tryrdlock(l);
  Cell *c = rwlock_of(t, l);
  for (int tries = 0;; ++tries) {
    uint64_t before = cell_look(c);
    int e = pthread_rwlock_tryrdlock(l);
    if (attempted(t, c, site, RT_RDLOCK, before, e, tries)) return e;
  }
}

int rt_rec_pthread_rwlock_trywrlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_trywrlock(l);
  Cell *c = rwlock_of(t, l);
  for (int tries = 0;; ++tries) {
    uint64_t before = cell_look(c);
    int e = pthread_rwlock_trywrlock(l);
    if (attempted(t, c, site, RT_LOCK, before, e, tries)) return e;
  }
}

// A timed lock that ran out of time where no number tells why.
static int timed_out(RtThread *t, Cell *c, RtSite site, RtOp op, pthread_rwlock_t *l, uint64_t before,
                     int e) {
  for (int tries = 0; !attempted(t, c, site, op, before, e, tries); ++tries) {
    before = cell_look(c);
    e = op == RT_LOCK ? pthread_rwlock_trywrlock(l) : pthread_rwlock_tryrdlock(l);
    if (e == EBUSY) e = ETIMEDOUT;
  }
  return e;
}

int rt_rec_pthread_rwlock_timedrdlock(RtSite site, pthread_rwlock_t *l, const struct timespec *until) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_timedrdlock(l, until);
  Cell *c = rwlock_of(t, l);
  uint64_t before = cell_look(c);
  return timed_out(t, c, site, RT_RDLOCK, l, before, pthread_rwlock_timedrdlock(l, until));
}

int rt_rec_pthread_rwlock_timedwrlock(RtSite site, pthread_rwlock_t *l, const struct timespec *until) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_timedwrlock(l, until);
  Cell *c = rwlock_of(t, l);
  uint64_t before = cell_look(c);
  return timed_out(t, c, site, RT_LOCK, l, before, pthread_rwlock_timedwrlock(l, until));
}

int rt_rec_pthread_rwlock_clockrdlock(RtSite site, pthread_rwlock_t *l, clockid_t clock,
                                      const struct timespec *until) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_clockrdlock(l, clock, until);
  Cell *c = rwlock_of(t, l);
  uint64_t before = cell_look(c);
  return timed_out(t, c, site, RT_RDLOCK, l, before, pthread_rwlock_clockrdlock(l, clock, until));
}

int rt_rec_pthread_rwlock_clockwrlock(RtSite site, pthread_rwlock_t *l, clockid_t clock,
                                      const struct timespec *until) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_clockwrlock(l, clock, until);
  Cell *c = rwlock_of(t, l);
  uint64_t before = cell_look(c);
  return timed_out(t, c, site, RT_LOCK, l, before, pthread_rwlock_clockwrlock(l, clock, until));
}

// Given back by whoever holds it: one writer or some readers. FOREIGN: nobody is known to.
int rt_rec_pthread_rwlock_unlock(RtSite site, pthread_rwlock_t *l) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_rwlock_unlock(l);
  Cell *c = rwlock_of(t, l);
  uint32_t held = (uint32_t)cell_look(c);
  bool writer = held & CELL_WRITER;
  if (writer) cell_own(c, 0);
  uint64_t w = cell_add(c, held ? CELL_ONE - (writer ? CELL_WRITER : 1) : CELL_ONE);
  log_number(t, site, RT_UNLOCK, c, w, RT_OK, held ? 0 : RT_FOREIGN);
  int e = pthread_rwlock_unlock(l);
  if (unlikely(e)) log_loose(t, site, RT_UNLOCK, c, outcome_of_error(e));
  return e;
}

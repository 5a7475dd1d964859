// Barriers: two events, ARRIVE and DEPART, both numbered by atomic additions.
#include <errno.h>
#include "rec.h"

int rt_rec_pthread_barrier_init(RtSite site, pthread_barrier_t *b, const pthread_barrierattr_t *a,
                                unsigned count) {
  RtThread *t = rec_enter();
  int e = pthread_barrier_init(b, a, count);
  if (t && !e) cell_begin(t, cell_of(t, b, RT_BARRIER), site, count);
  return e;
}

// libc waits there until all have left.
int rt_rec_pthread_barrier_destroy(RtSite site, pthread_barrier_t *b) {
  RtThread *t = rec_enter();
  int e = pthread_barrier_destroy(b);
  if (!t || e) return e;
  Cell *c = cell_of(t, b, RT_BARRIER);
  cell_drain(c);
  cell_end(t, c, site);
  return e;
}

int rt_rec_pthread_barrier_wait(RtSite site, pthread_barrier_t *b) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_barrier_wait(b);
  Cell *c = cell_of(t, b, RT_BARRIER);
  log_add(t, site, RT_ARRIVE, c, CELL_ONE + 1, RT_OK);
  rec_stand(t, RT_STAND_BARRIER, site, cell_id(t, c), RT_BARRIER, b);
  int e = pthread_barrier_wait(b);
  rec_go_on(t);
  log_add(t, site, RT_DEPART, c, CELL_ONE - 1,
          e == PTHREAD_BARRIER_SERIAL_THREAD ? RT_SERIAL : outcome_of_error(e));
  return e;
}

// Condition variables. A wait is two events, each with the mutex's part in front: RELEASE WAIT, REACQUIRE
// WAKE. Waiting threads and signals do not exclude each other: a signal takes its number before the real one,
// and writes down how many numbers others took until that had returned (RT_SPAN).
#include "rec.h"

typedef struct {
  RtThread *t;
  Cell *c;
  pthread_mutex_t *m;
  RtSite site;
  bool mine;
  int outcome;  // unwound, unless the caller says otherwise
} Waiting;

// Also runs when the wait is cancelled; libc has taken the mutex again by then.
static void waited(Waiting *w) {
  if (!w->t) return;
  rec_go_on(w->t);
  mutex_reacquire(w->t, w->site, w->m, w->mine, w->outcome);
  log_add(w->t, w->site, RT_WAKE, w->c, CELL_ONE - 1, w->outcome);
}

static Waiting waiting(RtSite site, const void *c, pthread_mutex_t *m) {
  RtThread *t = rec_enter();
  Waiting w = {t, NULL, m, site, false, RT_UNWOUND};
  if (!t) return w;
  w.c = cell_of(t, c, RT_COND);
  w.mine = mutex_release(t, site, m);
  log_add(t, site, RT_WAIT, w.c, CELL_ONE + 1, RT_OK);
  return w;
}
// As long as it takes.
static void stand(const Waiting *w, const void *c) {
  if (w->t) rec_stand(w->t, RT_STAND_WAIT, w->site, cell_id(w->t, w->c), RT_COND, c);
}
#define WAITING(w, site, c, m) __attribute__((cleanup(waited))) Waiting w = waiting(site, c, m)

int rt_rec_pthread_cond_wait(RtSite site, pthread_cond_t *c, pthread_mutex_t *m) {
  WAITING(w, site, c, m);
  stand(&w, c);
  int e = pthread_cond_wait(c, m);
  w.outcome = outcome_of_error(e);
  return e;
}

int rt_rec_pthread_cond_timedwait(RtSite site, pthread_cond_t *c, pthread_mutex_t *m,
                                  const struct timespec *until) {
  WAITING(w, site, c, m);
  int e = pthread_cond_timedwait(c, m, until);
  w.outcome = outcome_of_error(e);
  return e;
}

int rt_rec_pthread_cond_clockwait(RtSite site, pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                  const struct timespec *until) {
  WAITING(w, site, c, m);
  int e = pthread_cond_clockwait(c, m, clock, until);
  w.outcome = outcome_of_error(e);
  return e;
}

int rt_rec_cnd_wait(RtSite site, cnd_t *c, mtx_t *m) {
  WAITING(w, site, c, (pthread_mutex_t *)m);
  stand(&w, c);
  int r = cnd_wait(c, m);
  w.outcome = outcome_of_thrd(r);
  return r;
}

int rt_rec_cnd_timedwait(RtSite site, cnd_t *c, mtx_t *m, const struct timespec *until) {
  WAITING(w, site, c, (pthread_mutex_t *)m);
  int r = cnd_timedwait(c, m, until);
  w.outcome = outcome_of_thrd(r);
  return r;
}

HIDDEN void cond_wait_with(RtSite site, void *c, pthread_mutex_t *m, void (*real)(void *, void **),
                           void **lock) {
  WAITING(w, site, c, m);
  stand(&w, c);
  real(c, lock);
  w.outcome = RT_OK;
}

HIDDEN Waking waking(RtSite site, RtOp op, const void *c) {
  RtThread *t = rec_enter();
  Waking w = {t, NULL, 0, 0, site, op};
  if (!t) return w;
  w.c = cell_of(t, c, RT_COND);
  w.id = cell_id(t, w.c);
  w.seq = (uint32_t)(log_add(t, site, op, w.c, CELL_ONE, RT_OK) >> 32);
  return w;
}

HIDDEN void woken(Waking w, int outcome) {
  if (!w.t) return;
  uint32_t others = (uint32_t)(cell_look(w.c) >> 32) - w.seq - 1;
  if (others)
    log_append(w.t, (RtEntry){RT_NO_SITE, w.id, w.seq, RT_OVERLAP, RT_OK,
                              (uint16_t)(others < RT_SPAN ? others : RT_SPAN)});
  if (outcome != RT_OK)
    log_append(w.t, (RtEntry){w.site, w.id, w.seq, (uint8_t)w.op, (uint8_t)outcome, RT_LOOSE});
}

int rt_rec_pthread_cond_signal(RtSite site, pthread_cond_t *c) {
  Waking w = waking(site, RT_SIGNAL, c);
  int e = pthread_cond_signal(c);
  woken(w, outcome_of_error(e));
  return e;
}

int rt_rec_pthread_cond_broadcast(RtSite site, pthread_cond_t *c) {
  Waking w = waking(site, RT_BROADCAST, c);
  int e = pthread_cond_broadcast(c);
  woken(w, outcome_of_error(e));
  return e;
}

int rt_rec_cnd_signal(RtSite site, cnd_t *c) {
  Waking w = waking(site, RT_SIGNAL, c);
  int r = cnd_signal(c);
  woken(w, outcome_of_thrd(r));
  return r;
}

int rt_rec_cnd_broadcast(RtSite site, cnd_t *c) {
  Waking w = waking(site, RT_BROADCAST, c);
  int r = cnd_broadcast(c);
  woken(w, outcome_of_thrd(r));
  return r;
}

HIDDEN void cond_init(RtSite site, const void *c) {
  RtThread *t = rec_enter();
  if (t) cell_begin(t, cell_of(t, c, RT_COND), site, 0);
}

// After the real one: libc waits there until the threads that it woke have left.
HIDDEN void cond_destroy(RtSite site, const void *c) {
  RtThread *t = rec_enter();
  if (!t) return;
  Cell *cell = cell_of(t, c, RT_COND);
  cell_drain(cell);
  cell_end(t, cell, site);
}

int rt_rec_pthread_cond_init(RtSite site, pthread_cond_t *c, const pthread_condattr_t *a) {
  int e = pthread_cond_init(c, a);
  if (!e) cond_init(site, c);
  return e;
}

int rt_rec_pthread_cond_destroy(RtSite site, pthread_cond_t *c) {
  int e = pthread_cond_destroy(c);
  if (!e) cond_destroy(site, c);
  return e;
}

int rt_rec_cnd_init(RtSite site, cnd_t *c) {
  int r = cnd_init(c);
  if (r == thrd_success) cond_init(site, c);
  return r;
}

void rt_rec_cnd_destroy(RtSite site, cnd_t *c) {
  cnd_destroy(c);
  cond_destroy(site, c);
}

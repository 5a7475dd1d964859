// Condition variables of our own: arriving gives the real mutex back and publishes, departing waits for the
// edges and takes the mutex again. Signals publish like any event; the real ones are sent too, for those who
// wait in code without nodes. So nobody waits in the real condition as long as the schedule holds; free.c
// says what becomes of those who are parked here when it does not any more.
#include <poll.h>
#include "enf.h"
#include "rt/shape.h"

typedef struct {
  const RtNode *depart;
  pthread_mutex_t *m;
} Cancelled;

static void waits(EnfWaits how) {
  if (enf_self) atomic_store(&enf_self->waiting, how);
}

// The mutex is taken again and the departure published before any of the program's handlers run.
static void cancelled(void *p) {
  Cancelled *c = p;
  waits(ENF_WAITS_NOT);
  pthread_mutex_lock(c->m);
  if (enf_on() && enf_waits(c->depart)) enf_done(c->depart);
}

// libc has taken the mutex again.
static void cancelled_there(void *p) {
  Cancelled *c = p;
  if (c->depart->outcome == RT_ENF_CANCELLED && enf_on()) enf_done(c->depart);
}

// Recorded to end by cancellation: that comes, now or soon. poll is a cancellation point.
static void wait_for_cancellation(const RtNode *depart, pthread_mutex_t *m) {
  Cancelled c = {depart, m};
  pthread_cleanup_push(cancelled, &c);
  while (enf_on()) poll(NULL, 0, 50);
  pthread_cleanup_pop(0);
}

static bool depart_waits(const RtNode *d, const EnfWaiting *w, pthread_mutex_t *m) {
  if (d->outcome == RT_ENF_CANCELLED) wait_for_cancellation(d, m);
  if (d->outcome == ETIMEDOUT && !enf_sleep(d, w->clock, w->until)) return false;
  return enf_waits(d);
}

// What woke it in the recording has happened; waits for the signals that are under way to be counted.
static bool is_signalled(const RtNode *d) {
  while (atomic_load(&enf.mode) == ENF_CONVERTING) sched_yield();
  if (RT_MUTANT(INVENTS_SIGNALS)) return true;
  return d && d->waker != RT_NONE32 && rt_passed((RtWait){d->waker, d->round});
}

static void real_left(void *m) {
  pthread_mutex_unlock(&enf_self->proxy);
  waits(ENF_WAITS_NOT);
  pthread_mutex_lock(m);
}

static int wait_with(void *c, pthread_mutex_t *m, const EnfWaiting *w) {
  return w->until ? pthread_cond_clockwait(c, m, w->clock, w->until) : pthread_cond_wait(c, m);
}

// Nobody has signalled it: it waits on, where the real signals go.
static int wait_on(void *c, pthread_mutex_t *m, const EnfWaiting *w) {
  EnfThread *me = enf_self;
  int e;
  if (me->relocked) {
    me->relocked = false;
    waits(ENF_WAITS_NOT);
    return wait_with(c, m, w);
  }
  pthread_mutex_lock(&me->proxy);
  waits(ENF_WAITS_REAL);
  RT_CHAOS_HERE();
  pthread_cleanup_push(real_left, m);
  e = wait_with(c, &me->proxy, w);
  pthread_cleanup_pop(0);
  pthread_mutex_unlock(&me->proxy);
  waits(ENF_WAITS_NOT);
  int locked = pthread_mutex_lock(m);
  return locked ? locked : e;
}

static int retake(pthread_mutex_t *m) {
  bool has = enf_self->relocked;
  enf_self->relocked = false;
  waits(ENF_WAITS_NOT);
  return has ? 0 : pthread_mutex_lock(m);
}

static int depart(const RtNode *d, void *c, const EnfWaiting *w, pthread_mutex_t *m) {
  EnfThread *me = &enf.threads[d->thread];
  me->wants_signal = true;
  bool held = depart_waits(d, w, m);
  me->wants_signal = false;
  bool plain = d->outcome == 0 || d->outcome == RT_ENF_SPURIOUS || d->outcome == ETIMEDOUT;
  if (!held && RT_MUTANT(NO_RELOCK)) return waits(ENF_WAITS_NOT), 0;
  if (!held && !is_signalled(d)) return wait_on(c, m, w);
  int e = retake(m);
  if (!held) return e;
  bool spurious = d->outcome == RT_ENF_SPURIOUS;
  if (!enf_on()) return e || spurious || !plain ? e : d->outcome;  // free only now: its time was over
  if (e != (plain ? 0 : d->outcome)) {
    enf_wrong_outcome(d, e);
    return e;
  }
  enf_done(d);
  return spurious ? 0 : d->outcome;
}

static void takes(void *m) {
  waits(ENF_WAITS_NOT);
  pthread_mutex_lock(m);
}

// It was still waiting when the process ended. Cancelled meanwhile it has its mutex, as in any wait.
static void wait_for_end(pthread_mutex_t *m) {
  pthread_cleanup_push(takes, m);
  enf_rest();
  pthread_cleanup_pop(0);
}

// Other processes signal there too. Who waits for its turn behind the wait must not hold the mutex meanwhile.
static int shared_wait(const RtNode *n, void *c, pthread_mutex_t *m, const EnfWaiting *w) {
  const RtNode *d = n->depart;
  Cancelled undone = {d ? d : n, m};
  int e;
  enf_done(n);
  pthread_cleanup_push(cancelled_there, &undone);
  e = w->real(c, m, w->clock, w->until);
  pthread_cleanup_pop(0);
  if (!d || !enf_on()) return e;
  bool ready = true;
  for (uint32_t i = 0; i < d->waits; ++i) ready &= rt_passed(d->wait[i]);
  if (!ready) {
    pthread_mutex_unlock(m);
    enf_waits(d);
    pthread_mutex_lock(m);
  }
  enf_finish(d, e ? e : d->outcome == RT_ENF_SPURIOUS ? RT_ENF_SPURIOUS : 0);
  return e;
}

HIDDEN int enf_cond_wait(const RtNode *n, void *c, void *m, const EnfWaiting *w) {
  if (!enf_arrive(n, c) || (n->mutex != RT_NONE32 && !enf_bind(n, n->mutex, m)))
    return w->real(c, m, w->clock, w->until);
  if ((!n->depart && n->outcome) || (w->until && rt_no_time(w->until))) {
    int e = w->real(c, m, w->clock, w->until);
    enf_finish(n, e);
    return e;
  }
  if (shape_is_shared(RT_COND, c)) return shared_wait(n, c, m, w);
  enf.threads[n->thread].mutex = m;
  waits(ENF_WAITS);
  if (!enf_on()) {
    waits(ENF_WAITS_NOT);
    return w->real(c, m, w->clock, w->until);
  }
  if (RT_MUTANT(EARLY_ARRIVAL)) enf_done(n);
  RT_CHAOS_HERE();
  int e = pthread_mutex_unlock(m);
  if (e) {
    waits(ENF_WAITS_NOT);
    enf_wrong_outcome(n, e);
    return e;
  }
  enf_done(n);
  if (n->depart) return depart(n->depart, c, w, m);
  wait_for_end(m);
  return is_signalled(NULL) ? retake(m) : wait_on(c, m, w);
}

HIDDEN int enf_cond_signal(const RtNode *n, void *c, int (*real)(void *)) {
  EnfThread *me = &enf.threads[n->thread];
  bool held = enf_arrive(n, c);
  if (held) {
    atomic_store(&me->signalling, 1);
    held = enf_on();
    if (!held) atomic_store(&me->signalling, 0);
  }
  if (!held) {
    enf_settle();
    return real(c);
  }
  int e = real(c);
  RT_CHAOS_HERE();
  if (e == n->outcome || (e && n->outcome == RT_ENF_FAILED)) {
    enf_done(n);
    atomic_store(&me->signalling, 0);
  } else {
    atomic_store(&me->signalling, 0);
    enf_wrong_outcome(n, e);
  }
  return e;
}

static int real_signal(void *c) {
  return pthread_cond_signal(c);
}
static int real_broadcast(void *c) {
  return pthread_cond_broadcast(c);
}
int rt_enf_pthread_cond_signal(const RtNode *n, pthread_cond_t *c) {
  return enf_cond_signal(n, c, real_signal);
}
int rt_enf_pthread_cond_broadcast(const RtNode *n, pthread_cond_t *c) {
  return enf_cond_signal(n, c, real_broadcast);
}

static int real_wait(void *c, void *m, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return pthread_cond_wait(c, m);
}
static int real_timedwait(void *c, void *m, clockid_t clock, const struct timespec *until) {
  (void)clock;
  return pthread_cond_timedwait(c, m, until);
}
static int real_clockwait(void *c, void *m, clockid_t clock, const struct timespec *until) {
  return pthread_cond_clockwait(c, m, clock, until);
}

// Which clock a condition was made with is in a bit that only the C library knows of.
static clockid_t clock_of(const pthread_cond_t *c) {
#ifdef __GLIBC__
  enum { MONOTONIC = 2 };
  return c->__data.__wrefs & MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
#else
  (void)c;
  return CLOCK_REALTIME;
#endif
}

int rt_enf_pthread_cond_wait(const RtNode *n, pthread_cond_t *c, pthread_mutex_t *m) {
  return enf_cond_wait(n, c, m, &(EnfWaiting){real_wait, CLOCK_REALTIME, NULL});
}
int rt_enf_pthread_cond_timedwait(const RtNode *n, pthread_cond_t *c, pthread_mutex_t *m,
                                  const struct timespec *until) {
  return enf_cond_wait(n, c, m, &(EnfWaiting){real_timedwait, clock_of(c), until});
}
int rt_enf_pthread_cond_clockwait(const RtNode *n, pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                  const struct timespec *until) {
  return enf_cond_wait(n, c, m, &(EnfWaiting){real_clockwait, clock, until});
}

static int thrd_of(int e) {
  return e == 0 ? thrd_success : e == ETIMEDOUT ? thrd_timedout : e == EBUSY ? thrd_busy : thrd_error;
}
int rt_enf_cnd_wait(const RtNode *n, cnd_t *c, mtx_t *m) {
  return thrd_of(enf_cond_wait(n, c, m, &(EnfWaiting){real_wait, CLOCK_REALTIME, NULL}));
}
int rt_enf_cnd_timedwait(const RtNode *n, cnd_t *c, mtx_t *m, const struct timespec *until) {
  return thrd_of(enf_cond_wait(n, c, m, &(EnfWaiting){real_timedwait, CLOCK_REALTIME, until}));
}
int rt_enf_cnd_signal(const RtNode *n, cnd_t *c) {
  return thrd_of(enf_cond_signal(n, c, real_signal));
}
int rt_enf_cnd_broadcast(const RtNode *n, cnd_t *c) {
  return thrd_of(enf_cond_signal(n, c, real_broadcast));
}

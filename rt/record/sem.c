// Semaphores. A post takes its number before the real one, a wait behind it: in the order of the numbers the
// semaphore is never below zero, and the wait that comes k-th takes what the k-th post gave.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include "rec.h"

static Cell *semaphore_of(RtThread *t, const sem_t *s) {
  return cell_of(t, s, RT_SEMAPHORE);
}

// The halves of the word apart: a semaphore that was opened or made unseen may seem to be worth less than
// nothing.
static uint64_t advance(Cell *c, uint32_t numbers, uint32_t worth) {
  uint64_t w = cell_look(c);
  while (!atomic_compare_exchange_weak(&c->word, &w, ((w >> 32) + numbers) << 32 | ((uint32_t)w + worth)))
    continue;
  return w;
}

// A refused attempt belongs where the semaphore is worth nothing. The numbers may not say so at either end of
// it: between a number and its operation, or if its value at the start is not known.
static bool refused_at(Cell *c, uint64_t before, uint64_t *when) {
  *when = (uint32_t)before ? cell_look(c) : before;
  return (uint32_t)*when == 0 && atomic_load(&c->value) != RT_NO_VALUE;
}

// After an attempt that ended in e; held, and not any more afterwards. False: try again.
static bool attempted(RtThread *t, bool was, Cell *c, RtSite site, uint64_t before, int e, int tries) {
  uint32_t id = atomic_load_explicit(&c->id, memory_order_relaxed);
  uint64_t when;
  if (!e)
    log_held(t, was, code_number(site, id, advance(c, 1, UINT32_MAX), RT_ACQUIRE, RT_OK, 0));
  else if (e != EAGAIN && e != ETIMEDOUT)
    log_held(t, was, code_number(site, id, before, RT_ACQUIRE, outcome_of_error(e), RT_LOOSE));
  else if (refused_at(c, before, &when))
    log_held(t, was, code_number(site, id, when, RT_ACQUIRE, e, RT_SEEN));
  else if (log_again(t, was, c, tries))
    return false;
  else
    log_held(t, was, code_number(site, id, before, RT_ACQUIRE, e, RT_LOOSE | RT_UNSURE));
  return true;
}

// What is cancelled took nothing.
typedef struct {
  RtThread *t;
  Cell *c;
  RtSite site;
  bool returned;
} Taking;
static void taking_end(Taking *a) {
  if (a->t) rec_go_on(a->t);
  if (a->t && !a->returned) log_loose(a->t, a->site, RT_ACQUIRE, a->c, RT_UNWOUND, 0);
}
static Taking taking(RtSite site, const sem_t *s) {
  RtThread *t = rec_enter();
  return (Taking){t, t ? semaphore_of(t, s) : NULL, site, false};
}
#define TAKING(a, site, s) __attribute__((cleanup(taking_end))) Taking a = taking(site, s)

static int taken(Taking *a, sem_t *s, int r) {
  a->returned = true;
  if (!a->t) return r;
  int e = r ? errno : 0;
  cell_id(a->t, a->c);
  bool was = log_hold(a->t);
  uint64_t before = cell_look(a->c);
  for (int tries = 0; !attempted(a->t, was, a->c, a->site, before, e, tries); ++tries) {
    was = log_hold(a->t);
    before = cell_look(a->c);
    if (sem_trywait(s) == 0) e = 0;
  }
  errno = e ? e : errno;
  return e ? -1 : 0;
}

int rt_rec_sem_wait(RtSite site, sem_t *s) {
  TAKING(a, site, s);
  if (a.t) rec_stand(a.t, RT_STAND_ACQUIRE, site, cell_id(a.t, a.c), RT_SEMAPHORE, s);
  int r = sem_wait(s);
  if (a.t) rec_go_on(a.t);
  return taken(&a, s, r);
}

int rt_rec_sem_timedwait(RtSite site, sem_t *s, const struct timespec *until) {
  TAKING(a, site, s);
  return taken(&a, s, sem_timedwait(s, until));
}

int rt_rec_sem_clockwait(RtSite site, sem_t *s, clockid_t clock, const struct timespec *until) {
  TAKING(a, site, s);
  return taken(&a, s, sem_clockwait(s, clock, until));
}

int rt_rec_sem_trywait(RtSite site, sem_t *s) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return sem_trywait(s);
  Cell *c = semaphore_of(t, s);
  cell_id(t, c);
  for (int tries = 0;; ++tries) {
    bool was = log_hold(t);
    uint64_t before = cell_look(c);
    int r = sem_trywait(s), e = r ? errno : 0;
    if (!attempted(t, was, c, site, before, e, tries)) continue;
    if (r) errno = e;
    return r;
  }
}

// Held while it is done: a handler in between would find a semaphore that is worth less than its number says.
int rt_rec_sem_post(RtSite site, sem_t *s) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return sem_post(s);
  Cell *c = semaphore_of(t, s);
  uint32_t id = cell_id(t, c);
  bool was = log_hold(t);
  log_held(t, was, code_number(site, id, advance(c, 1, 1), RT_POST, RT_OK, 0));
  was = log_hold(t);
  int r = sem_post(s), e = errno;
  log_drop(t, was);
  if (unlikely(r)) {
    advance(c, 0, UINT32_MAX);
    log_loose(t, site, RT_POST, c, outcome_of_error(e), 0);
    errno = e;
  }
  return r;
}

int rt_rec_sem_init(RtSite site, sem_t *s, int shared, unsigned value) {
  RtThread *t = rec_enter();
  int r = sem_init(s, shared, value);
  if (t && !r) cell_begin(t, semaphore_of(t, s), site, value);
  return r;
}

int rt_rec_sem_destroy(RtSite site, sem_t *s) {
  RtThread *t = rec_enter();
  int r = sem_destroy(s);
  if (t && !r) cell_end(t, semaphore_of(t, s), site);
  return r;
}

// What a named semaphore is worth is not known: other processes may use it. Opening it twice gives one
// address.
sem_t *rt_rec_sem_open(RtSite site, const char *name, int flags, ...) {
  mode_t mode = 0;
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list args;
    va_start(args, flags);
    mode = va_arg(args, mode_t);
    value = va_arg(args, unsigned);
    va_end(args);
  }
  RtThread *t = rec_enter();
  sem_t *s = sem_open(name, flags, mode, value);
  int e = errno;
  if (t && s != SEM_FAILED) cell_id(t, semaphore_of(t, s));
  (void)site;
  errno = e;
  return s;
}

int rt_rec_sem_close(RtSite site, sem_t *s) {
  (void)site;
  return sem_close(s);
}

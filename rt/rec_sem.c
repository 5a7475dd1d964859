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
// it: between a number and its operation, or if its value at the start is not known. False: try again.
static bool refused(RtThread *t, Cell *c, RtSite site, uint64_t before, int e, int tries) {
  uint64_t when = (uint32_t)before ? cell_look(c) : before;
  bool known = atomic_load(&c->value) != RT_NO_VALUE, zero = known && (uint32_t)when == 0;
  if (!zero && known && cell_again(t, c, tries)) return false;
  log_number(t, site, RT_ACQUIRE, c, zero ? when : before, e, zero ? RT_SEEN : RT_LOOSE | RT_UNSURE);
  return true;
}

// After an attempt with the result r. False: try again.
static bool attempted(RtThread *t, Cell *c, RtSite site, uint64_t before, int r, int tries) {
  int e = r ? errno : 0;
  bool final = true;
  if (!e)
    log_number(t, site, RT_ACQUIRE, c, advance(c, 1, UINT32_MAX), RT_OK, 0);
  else if (e == EAGAIN || e == ETIMEDOUT)
    final = refused(t, c, site, before, e, tries);
  else
    log_loose(t, site, RT_ACQUIRE, c, outcome_of_error(e));
  errno = e ? e : errno;
  return final;
}

// What is cancelled took nothing.
typedef struct {
  RtThread *t;
  Cell *c;
  uint64_t before;
  RtSite site;
  bool returned;
} Taking;
static void taking_end(Taking *a) {
  if (a->t && !a->returned) log_loose(a->t, a->site, RT_ACQUIRE, a->c, RT_UNWOUND);
}
static Taking taking(RtSite site, const sem_t *s) {
  RtThread *t = rec_enter();
  Cell *c = t ? semaphore_of(t, s) : NULL;
  return (Taking){t, c, c ? cell_look(c) : 0, site, false};
}
#define TAKING(a, site, s) __attribute__((cleanup(taking_end))) Taking a = taking(site, s)

static int taken(Taking *a, sem_t *s, int r) {
  a->returned = true;
  if (!a->t) return r;
  for (int tries = 0; !attempted(a->t, a->c, a->site, a->before, r, tries); ++tries) {
    a->before = cell_look(a->c);
    r = sem_trywait(s);
    if (r && errno == EAGAIN) errno = ETIMEDOUT;
  }
  return r;
}

int rt_rec_sem_wait(RtSite site, sem_t *s) {
  TAKING(a, site, s);
  return taken(&a, s, sem_wait(s));
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
  for (int tries = 0;; ++tries) {
    uint64_t before = cell_look(c);
    int r = sem_trywait(s);
    if (attempted(t, c, site, before, r, tries)) return r;
  }
}

int rt_rec_sem_post(RtSite site, sem_t *s) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return sem_post(s);
  Cell *c = semaphore_of(t, s);
  log_number(t, site, RT_POST, c, advance(c, 1, 1), RT_OK, 0);
  int r = sem_post(s), e = errno;
  if (unlikely(r)) {
    advance(c, 0, UINT32_MAX);
    log_loose(t, site, RT_POST, c, outcome_of_error(e));
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

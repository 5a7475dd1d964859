// The operations. All are the real ones; only a condition wait of the list is ours, so that exactly the
// thread departs that the list says.
#include <string.h>
#include <time.h>
#include "rt/log.h"
#include "rep.h"

// Excluded mutexes are the program's own. Who waits for one, and who has one, tells why two accesses cannot
// meet.
static void own_before(RepThread *t, RtSite site, const char *f, const void *m) {
  if (!t || !rep_ordinary(site) || !strstr(f, "lock")) return;
  if (!strstr(f, "unlock")) {
    atomic_store(&t->waits_for, (uintptr_t)m);
    return;
  }
  for (uint32_t i = t->holds; i--;)
    if (i < REP_HELD && t->held[i] == (uintptr_t)m) {
      t->held[i] = t->held[--t->holds < REP_HELD ? t->holds : i];
      return;
    }
}
static void own_after(RepThread *t, RtSite site, const char *f, const void *m, int error) {
  if (!t || !rep_ordinary(site) || !strstr(f, "lock") || strstr(f, "unlock")) return;
  atomic_store(&t->waits_for, 0);
  if (!error && t->holds < REP_HELD) t->held[t->holds++] = (uintptr_t)m;
}

static int error_of_ERROR(int r) {
  return r;
}
static int error_of_THRD(int r) {
  return rep_error_of_thrd(r);
}
static int error_of_ERRNO(int r) {
  return r ? errno : 0;
}
#define error_of_WAITS error_of_ERRNO

static inline bool is_signal(const char *f) {
  return strstr(f, "signal") || strstr(f, "broadcast");
}

// Those that wait as long as it takes.
static RtStandKind waits_as(const char *f) {
  if (!strcmp(f, "sem_wait")) return RT_STAND_ACQUIRE;
  if (!strcmp(f, "pthread_rwlock_rdlock")) return RT_STAND_RDLOCK;
  bool locks = !strcmp(f, "pthread_mutex_lock") || !strcmp(f, "mtx_lock") ||
               !strcmp(f, "pthread_spin_lock") || !strcmp(f, "pthread_rwlock_wrlock");
  return locks ? RT_STAND_LOCK : RT_STAND_NOWHERE;
}

static inline void stand_before(RtSite site, const char *f, const void *object) {
  if (!rep_stands()) return;
  if (strstr(f, "unlock")) rep_stand_gave(object);
  RtStandKind kind = waits_as(f);
  if (kind != RT_STAND_NOWHERE) rep_stand(kind, site, (uintptr_t)object);
}

static inline void stand_after(RtSite site, const char *f, const void *object, int error) {
  if (!rep_stands()) return;
  int saved = errno;
  if (waits_as(f) != RT_STAND_NOWHERE) rep_stand_on();
  bool took = strstr(f, "lock") && !strstr(f, "unlock") && (!error || error == EOWNERDEAD);
  if (took) rep_stand_took(object, strstr(f, "rdlock") != NULL, site);
  errno = saved;
}

#define HOT(how, f, object, first, args, ...)          \
  int rt_rec_##f(RtSite site, __VA_ARGS__) {           \
    RepOp op = rep_arrive(site);                       \
    RepThread *t = op.t ? NULL : rep_me();             \
    const void *o = (const void *)(uintptr_t)(object); \
    own_before(t, site, #f, o);                        \
    if (is_signal(#f)) rep_signalled(o);               \
    stand_before(site, #f, o);                         \
    int r = f args;                                    \
    own_after(t, site, #f, o, error_of_##how(r));      \
    stand_after(site, #f, o, error_of_##how(r));       \
    rep_done(op, error_of_##how(r));                   \
    return r;                                          \
  }
#define COLD HOT
#define SIGNAL HOT
#include "rt/real.def"

static _Atomic uint32_t *signals_of(const void *c) {
  uintptr_t a = (uintptr_t)c;
  return &rep->signals[(a >> 3 ^ a >> 11) % 256];
}
HIDDEN void rep_signalled(const void *c) {
  if (rep) atomic_fetch_add(signals_of(c), 1);
}

static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_nsec += 5000000;
  if (t.tv_nsec >= 1000000000) ++t.tv_sec, t.tv_nsec -= 1000000000;
  return t;
}

static bool is_past(const RepWait *w) {
  struct timespec now;
  if (!w->until) return false;
  clock_gettime(w->clock, &now);
  return now.tv_sec > w->until->tv_sec ||
         (now.tv_sec == w->until->tv_sec && now.tv_nsec >= w->until->tv_nsec);
}

// It waited by the list, and all runs free now: it goes on waiting, for real. A signal since it arrived may
// have been for it.
static int wait_on(pthread_cond_t *c, pthread_mutex_t *m, uint32_t before, const RepWait *w) {
  pthread_mutex_lock(m);
  while (atomic_load(signals_of(c)) == before) {
    struct timespec until = soon();
    if (is_past(w)) return ETIMEDOUT;
    if (pthread_cond_clockwait(c, m, CLOCK_MONOTONIC, &until) == 0) break;
  }
  return 0;
}

// It waits for the condition, and then for its mutex, which shows in who has that.
static int stand_on(RtSite site, pthread_cond_t *c, pthread_mutex_t *m, uint32_t before, const RepWait *w) {
  bool stands = rep_stands() && !w->until;
  if (stands) rep_stand(RT_STAND_WAIT, site, (uintptr_t)c);
  int e = wait_on(c, m, before, w);
  if (stands) rep_stand_on();
  return e;
}

static int wait_for_real(RtSite site, void *c, void *lock, const RepWait *w) {
  bool stands = rep_stands() && !w->until;
  if (stands) rep_stand(RT_STAND_WAIT, site, (uintptr_t)c);
  int e = w->real(c, lock, w->clock, w->until);
  if (stands) rep_stand_on();
  return e;
}

static int depart(RepOp op, pthread_mutex_t *m) {
  int e = pthread_mutex_lock(m);
  bool cancelled = op.event->cancelled;
  int error = op.event->error;
  rep_done(op, e ? e : error);
  while (cancelled && atomic_load(&rep->on)) {
    pthread_testcancel();
    sched_yield();
  }
  return error;
}

static int wait(RtSite site, void *c, void *lock, pthread_mutex_t *m, const RepWait *w) {
  RepOp op = rep_arrive(site);
  if (!op.t || op.event->error || op.event->kind == RT_REP_EXIT) {
    int e = wait_for_real(site, c, lock, w);
    rep_done(op, e);
    return e;
  }
  uint32_t before = atomic_load(signals_of(c));
  pthread_mutex_unlock(m);
  rep_done(op, 0);
  op = rep_arrive(site);
  return op.t ? depart(op, m) : stand_on(site, c, m, before, w);
}

HIDDEN int rep_wait(RtSite site, void *c, void *lock, pthread_mutex_t *m, const RepWait *w) {
  if (!rep_stands()) return wait(site, c, lock, m, w);
  rep_stand_gave(m);
  int e = wait(site, c, lock, m, w);
  rep_stand_took(m, false, site);
  return e;
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
static int thrd_of(int e) {
  return e == 0 ? thrd_success : e == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int rt_rec_pthread_cond_wait(RtSite site, pthread_cond_t *c, pthread_mutex_t *m) {
  return rep_wait(site, c, m, m, &(RepWait){real_wait, CLOCK_REALTIME, NULL});
}
int rt_rec_pthread_cond_timedwait(RtSite site, pthread_cond_t *c, pthread_mutex_t *m,
                                  const struct timespec *until) {
  return rep_wait(site, c, m, m, &(RepWait){real_timedwait, CLOCK_REALTIME, until});
}
int rt_rec_pthread_cond_clockwait(RtSite site, pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                  const struct timespec *until) {
  return rep_wait(site, c, m, m, &(RepWait){real_clockwait, clock, until});
}
int rt_rec_cnd_wait(RtSite site, cnd_t *c, mtx_t *m) {
  return thrd_of(rep_wait(site, c, m, (pthread_mutex_t *)m, &(RepWait){real_wait, CLOCK_REALTIME, NULL}));
}
int rt_rec_cnd_timedwait(RtSite site, cnd_t *c, mtx_t *m, const struct timespec *until) {
  return thrd_of(
      rep_wait(site, c, m, (pthread_mutex_t *)m, &(RepWait){real_timedwait, CLOCK_REALTIME, until}));
}

// A round of which some depart by the list and some do not has one serial thread all the same.
static int depart_free(int real, uint32_t round) {
  uint8_t *listed = &replay_rounds(rep_table)[round];
  if (round >= rep_table->rounds || !(*listed & RT_ROUND_DEPARTS) || real > 0) return real;
  uint8_t before = __atomic_fetch_or(listed, RT_ROUND_SERIAL, __ATOMIC_RELAXED);
  return before & RT_ROUND_SERIAL ? 0 : PTHREAD_BARRIER_SERIAL_THREAD;
}

static int arrive_at(RtSite site, pthread_barrier_t *b) {
  bool stands = rep_stands();
  if (stands) rep_stand(RT_STAND_BARRIER, site, (uintptr_t)b);
  int e = pthread_barrier_wait(b);
  if (stands) rep_stand_on();
  return e;
}

int rt_rec_pthread_barrier_wait(RtSite site, pthread_barrier_t *b) {
  RepOp op = rep_arrive(site);
  if (!op.t || op.event->error) {
    int failed = arrive_at(site, b);
    rep_done(op, failed);
    return failed;
  }
  uint32_t round = op.event->other;
  rep_done(op, 0);
  int e = arrive_at(site, b);
  op = rep_arrive(site);
  if (!op.t) return depart_free(e, round);
  e = op.event->error;
  rep_done(op, e);
  return e;
}

typedef struct {
  int (*real)(void *flag, void (*routine)(void));
  void *flag;
  void (*routine)(void);
} Once;

static int once(RtSite site, const Once *o) {
  RepThread *t = rep_me();
  if (!t || rep_ordinary(site)) return o->real(o->flag, o->routine);
  const RtReplayEvent *e = rep_next(t);
  bool ours = e && e->kind == RT_REP_ONCE && (site == e->site || site == RT_SITE_INDIRECT);
  if (!e && !t->side) rep_stop(t);  // one of the two goes on to the end of the routine
  if (ours && e->error != RT_REP_RAN) {
    RepOp op = rep_arrive(site);
    int r = o->real(o->flag, o->routine);
    rep_done(op, r);
    return r;
  }
  int r = o->real(o->flag, o->routine);
  RepOp op = rep_arrive(site);
  if (op.t) rep_done(op, r ? r : op.event->error);
  return r;
}

static int real_once(void *flag, void (*routine)(void)) {
  return pthread_once(flag, routine);
}
static int real_call_once(void *flag, void (*routine)(void)) {
  call_once(flag, routine);
  return 0;
}
int rt_rec_pthread_once(RtSite site, pthread_once_t *flag, void (*routine)(void)) {
  return once(site, &(Once){real_once, flag, routine});
}
void rt_rec_call_once(RtSite site, once_flag *flag, void (*routine)(void)) {
  once(site, &(Once){real_call_once, flag, routine});
}

void rt_rec_other(RtSite site, const void *object) {
  (void)object;
  rep_done(rep_arrive(site), 0);
}

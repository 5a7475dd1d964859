// Threads of the list: who is whose child, where they begin and end.
#include <string.h>
#include "rt/log.h"
#include "rep.h"
#include "rt/rounds.h"

static pthread_key_t key;

// The thread's first and last events are no operations of its code.
static void edge_of_thread(RepThread *t, RtReplayKind kind) {
  const RtReplayEvent *e = rep_me() ? rep_next(t) : NULL;
  if (e && e->kind != kind) rep_diverged(t, RT_NO_SITE);
  if (rep_me()) rep_done(rep_arrive(e ? e->site : RT_NO_SITE), e ? e->error : 0);
}

HIDDEN void rep_thread_begin(RepThread *t) {
  rep_self = t;
  pthread_setspecific(key, t);
  t->entered = true;
  rep_watch_thread(t);
  if (t->id)
    edge_of_thread(t, RT_REP_ENTER);
  else if (t->end == 0)
    rep_segment(t);
}

static void thread_end(void *p) {
  RepThread *t = p;
  if (++t->rounds < LAST_ROUND && rep_self) {
    pthread_setspecific(key, t);
    return;
  }
  edge_of_thread(t, RT_REP_EXIT);
  rep_self = NULL;
  t->stack_low = t->stack_high = 0;
}

HIDDEN int rep_key_make(void) {
  return pthread_key_create(&key, thread_end);
}

HIDDEN int rep_error_of_thrd(int r) {
  switch (r) {
    case thrd_success:
      return 0;
    case thrd_busy:
      return EBUSY;
    case thrd_timedout:
      return ETIMEDOUT;
    case thrd_nomem:
      return ENOMEM;
    default:
      return RT_REP_FAILED;
  }
}

HIDDEN RepThread *rep_child(RepOp op) {
  uint32_t id = op.t ? op.event->other : 0;
  return id && id < rep_table->threads && !rep->thread[id].entered ? &rep->thread[id] : NULL;
}

static void *child_run(void *p) {
  RepThread *t = p;
  rep_thread_begin(t);
  return t->start.posix(t->argument);
}
static int child_run_c11(void *p) {
  RepThread *t = p;
  rep_thread_begin(t);
  return t->start.c11(t->argument);
}

int rt_rec_pthread_create(RtSite site, pthread_t *id, const pthread_attr_t *attr, void *(*routine)(void *),
                          void *argument) {
  RepOp op = rep_arrive(site);
  RepThread *child = rep_child(op);
  if (child) child->start.posix = routine, child->argument = argument;
  int e = child ? pthread_create(id, attr, child_run, child) : pthread_create(id, attr, routine, argument);
  rep_done(op, e);
  return e;
}

int rt_rec_thrd_create(RtSite site, thrd_t *id, thrd_start_t routine, void *argument) {
  RepOp op = rep_arrive(site);
  RepThread *child = rep_child(op);
  if (child) child->start.c11 = routine, child->argument = argument;
  int r = child ? thrd_create(id, child_run_c11, child) : thrd_create(id, routine, argument);
  rep_done(op, rep_error_of_thrd(r));
  return r;
}

int rt_rec_pthread_join(RtSite site, pthread_t id, void **result) {
  RepOp op = rep_arrive(site);
  REP_JOINING(site, id);
  int e = pthread_join(id, result);
  rep_done(op, e);
  return e;
}

// The last event of a thread comes a little before its end.
int rt_rec_pthread_tryjoin_np(RtSite site, pthread_t id, void **result) {
  RepOp op = rep_arrive(site);
  int e;
  while ((e = pthread_tryjoin_np(id, result)) == EBUSY && op.t && !op.event->error) sched_yield();
  rep_done(op, e);
  return e;
}

int rt_rec_pthread_timedjoin_np(RtSite site, pthread_t id, void **result, const struct timespec *until) {
  RepOp op = rep_arrive(site);
  int e = pthread_timedjoin_np(id, result, until);
  rep_done(op, e);
  return e;
}

int rt_rec_pthread_clockjoin_np(RtSite site, pthread_t id, void **result, clockid_t clock,
                                const struct timespec *until) {
  RepOp op = rep_arrive(site);
  int e = pthread_clockjoin_np(id, result, clock, until);
  rep_done(op, e);
  return e;
}

int rt_rec_thrd_join(RtSite site, thrd_t id, int *result) {
  RepOp op = rep_arrive(site);
  REP_JOINING(site, id);
  int r = thrd_join(id, result);
  rep_done(op, rep_error_of_thrd(r));
  return r;
}

int rt_rec_pthread_detach(RtSite site, pthread_t id) {
  RepOp op = rep_arrive(site);
  int e = pthread_detach(id);
  rep_done(op, e);
  return e;
}

int rt_rec_thrd_detach(RtSite site, thrd_t id) {
  RepOp op = rep_arrive(site);
  int r = thrd_detach(id);
  rep_done(op, rep_error_of_thrd(r));
  return r;
}

int rt_rec_pthread_cancel(RtSite site, pthread_t id) {
  RepOp op = rep_arrive(site);
  int e = pthread_cancel(id);
  rep_done(op, e);
  return e;
}

void rt_rec_pthread_testcancel(RtSite site) {
  RepOp op = rep_arrive(site);
  rep_done(op, 0);
  pthread_testcancel();
}

void rt_rec_pthread_exit(RtSite site, void *result) {
  (void)site;
  pthread_exit(result);
}
void rt_rec_thrd_exit(RtSite site, int result) {
  (void)site;
  thrd_exit(result);
}

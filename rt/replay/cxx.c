// C++ for the replayer: std::thread, std::condition_variable, guards of statics. Nothing of this is linked
// into C programs.
#include "rt/cxx.h"
#include "rep.h"

#define RT_REC(name) CXX_PASTE(rt_rec_, name)

CXX_STATE_OF(RepThread)
static void state_run(void **self) {
  RepThread *t = thread_of(self);
  rep_thread_begin(t);
  table_of(t->start.state)->run(t->start.state);
}
static const StateObject wrapped = {0, NULL, {state_destroy, state_remove, state_run}};

typedef struct {
  RepOp op;
  RepThread *child;
  void **state;
  bool returned;
} Starting;

// When it throws, the caller still owns its state.
static void starting_end(Starting *s) {
  if (!s->returned) *s->state = s->child->start.state;
  rep_done(s->op, s->returned ? 0 : RT_REP_FAILED);
}

void RT_REC(START_THREAD)(RtSite site, pthread_t *self, void **state, void (*depend)(void)) {
  RepOp op = rep_arrive(site);
  RepThread *child = *state ? rep_child(op) : NULL;
  if (!child) {
    START_THREAD(self, state, depend);
    rep_done(op, 0);
    return;
  }
  child->start.state = *state;
  child->cxx_state = (void *)(uintptr_t)&wrapped.table;
  *state = &child->cxx_state;
  __attribute__((cleanup(starting_end))) Starting s = {op, child, state, false};
  START_THREAD(self, state, depend);
  s.returned = true;
}

void RT_REC(_ZNSt6thread4joinEv)(RtSite site, pthread_t *self) {
  RepOp op = rep_arrive(site);
  REP_JOINING(site, *self);
  _ZNSt6thread4joinEv(self);
  rep_done(op, 0);
}
void RT_REC(_ZNSt6thread6detachEv)(RtSite site, pthread_t *self) {
  RepOp op = rep_arrive(site);
  _ZNSt6thread6detachEv(self);
  rep_done(op, 0);
}

#define PASS(name)                                 \
  void RT_REC(CV(name))(RtSite site, void *self) { \
    (void)site;                                    \
    CV(name)(self);                                \
  }
PASS(C1Ev)
PASS(C2Ev)
PASS(D1Ev)
PASS(D2Ev)

static int real_wait(void *self, void *lock, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  CV(4waitERSt11unique_lockISt5mutexE)(self, lock);
  return 0;
}
void RT_REC(CV(4waitERSt11unique_lockISt5mutexE))(RtSite site, void *self, void **lock) {
  rep_wait(site, self, lock, *lock, &(RepWait){real_wait, CLOCK_REALTIME, NULL});
}

void RT_REC(CV(10notify_oneEv))(RtSite site, void *self) {
  RepOp op = rep_arrive(site);
  rep_signalled(self);
  CV(10notify_oneEv)(self);
  rep_done(op, 0);
}
void RT_REC(CV(10notify_allEv))(RtSite site, void *self) {
  RepOp op = rep_arrive(site);
  rep_signalled(self);
  CV(10notify_allEv)(self);
  rep_done(op, 0);
}

int RT_REC(__cxa_guard_acquire)(RtSite site, void *guard) {
  RepOp op = rep_arrive(site);
  int first = __cxa_guard_acquire(guard);
  rep_done(op, first ? RT_REP_RAN : 0);
  return first;
}
void RT_REC(__cxa_guard_release)(RtSite site, void *guard) {
  RepOp op = rep_arrive(site);
  __cxa_guard_release(guard);
  rep_done(op, 0);
}
void RT_REC(__cxa_guard_abort)(RtSite site, void *guard) {
  RepOp op = rep_arrive(site);
  __cxa_guard_abort(guard);
  rep_done(op, 0);
}

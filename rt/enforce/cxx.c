// C++ for the enforcement: std::thread, std::condition_variable, guards of statics. Nothing of this is linked
// into C programs. Our state of a thread lies in the child's EnfThread.
#include <stddef.h>
#include "rt/cxx.h"
#include "enf.h"

#define RT_ENF(name) CXX_PASTE(rt_enf_, name)

CXX_STATE_OF(EnfThread)
// What _M_run is lies at a stub; the clone is entered there.
static void state_run(void **self) {
  EnfThread *t = thread_of(self);
  void **state = t->start.state;
  void (*run)(void **) = table_of(state)->run;
  if (enf_thread_enter(t) && t->code) run = (void (*)(void **))(uintptr_t)t->code;
  run(state);
}

static const StateObject wrapped = {0, NULL, {state_destroy, state_remove, state_run}};

typedef struct {
  const RtNode *n;
  EnfThread *child;
  pthread_t *self;
  void **state;
  bool returned;
} Starting;

// When it throws, the caller still owns its state.
static void starting_end(Starting *s) {
  if (!s->returned) *s->state = s->child->start.state;
  enf_created(s->n, s->child, s->returned ? 0 : RT_ENF_FAILED, s->returned ? *s->self : 0);
}

void RT_ENF(START_THREAD)(const RtNode *n, pthread_t *self, void **state, void (*depend)(void)) {
  void **inner = *state;
  EnfThread *child = NULL;
  if (inner && enf_creates(n, (const void *)(uintptr_t)table_of(inner)->run)) child = enf_child(n);
  if (!child) {
    START_THREAD(self, state, depend);
    enf_finish(n, 0);
    return;
  }
  child->start.state = inner;
  child->code = n->code;
  child->cxx_state = (void *)(uintptr_t)&wrapped.table;
  *state = &child->cxx_state;
  __attribute__((cleanup(starting_end))) Starting s = {n, child, self, state, false};
  START_THREAD(self, state, depend);
  s.returned = true;
}

void RT_ENF(_ZNSt6thread4joinEv)(const RtNode *n, pthread_t *self) {
  enf_thread_arrive(n, *self);
  _ZNSt6thread4joinEv(self);
  enf_finish(n, 0);
}

void RT_ENF(_ZNSt6thread6detachEv)(const RtNode *n, pthread_t *self) {
  enf_thread_arrive(n, *self);
  _ZNSt6thread6detachEv(self);
  enf_finish(n, 0);
}

// std::condition_variable's wait: the lock stays the owner of its mutex, which is given back and taken again
// beneath it, as the real one does.
static _Thread_local void **real_lock;

static int real_wait(void *self, void *m, clockid_t clock, const struct timespec *until) {
  (void)m, (void)clock, (void)until;
  CV(4waitERSt11unique_lockISt5mutexE)(self, real_lock);
  return 0;
}

void RT_ENF(CV(4waitERSt11unique_lockISt5mutexE))(const RtNode *n, void *self, void **lock) {
  real_lock = lock;
  enf_cond_wait(n, self, *lock, &(EnfWaiting){real_wait, CLOCK_REALTIME, NULL});
}

static int real_one(void *self) {
  CV(10notify_oneEv)(self);
  return 0;
}
static int real_all(void *self) {
  CV(10notify_allEv)(self);
  return 0;
}

void RT_ENF(CV(10notify_oneEv))(const RtNode *n, void *self) {
  enf_cond_signal(n, self, real_one);
}

void RT_ENF(CV(10notify_allEv))(const RtNode *n, void *self) {
  enf_cond_signal(n, self, real_all);
}

int RT_ENF(__cxa_guard_acquire)(const RtNode *n, void *guard) {
  if (!enf_arrive(n, guard)) return __cxa_guard_acquire(guard);
  int first = __cxa_guard_acquire(guard);
  enf_finish(n, first ? RT_ENF_RAN : 0);
  return first;
}
void RT_ENF(__cxa_guard_release)(const RtNode *n, void *guard) {
  enf_arrive(n, guard);
  __cxa_guard_release(guard);
  enf_finish(n, 0);
}
void RT_ENF(__cxa_guard_abort)(const RtNode *n, void *guard) {
  enf_arrive(n, guard);
  __cxa_guard_abort(guard);
  enf_finish(n, 0);
}

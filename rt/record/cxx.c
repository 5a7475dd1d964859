// C++ for the recorder: std::thread, std::condition_variable, guards of statics. Nothing of this is linked
// into C programs. Our state of a thread lies in the child's RtThread.
#include <stddef.h>
#include "rt/cxx.h"
#include "rec.h"

#define RT_REC(name) CXX_PASTE(rt_rec_, name)

CXX_STATE_OF(RtThread)
static void state_run(void **self) {
  RtThread *t = thread_of(self);
  thread_child_begin(t);
  table_of(t->start.state)->run(t->start.state);
  t->how = RT_OK;
}

static const StateObject wrapped = {0, NULL, {state_destroy, state_remove, state_run}};

typedef struct {
  RtThread *t, *child;
  RtSite site;
  pthread_t *self;
  void **state;
  bool returned;
} Starting;

// When it throws, the caller still owns its state.
static void starting_end(Starting *s) {
  if (!s->returned) *s->state = s->child->start.state;
  thread_created(s->t, s->child, s->site, s->returned ? RT_OK : RT_UNWOUND, s->self, false);
}

void RT_REC(START_THREAD)(RtSite site, pthread_t *self, void **state, void (*depend)(void)) {
  RtThread *t = rec_enter();
  void **inner = *state;
  RtThread *child = t && inner ? thread_child(t, site, (uintptr_t)table_of(inner)->run, NULL) : NULL;
  if (!child) {
    START_THREAD(self, state, depend);
    return;
  }
  child->start.state = inner;
  child->cxx_state = (void *)(uintptr_t)&wrapped.table;
  *state = &child->cxx_state;
  __attribute__((cleanup(starting_end))) Starting s = {t, child, site, self, state, false};
  START_THREAD(self, state, depend);
  s.returned = true;
}

void RT_REC(_ZNSt6thread4joinEv)(RtSite site, pthread_t *self) {
  JOINING(j, site, *self);
  joining_stand(&j);
  _ZNSt6thread4joinEv(self);
  j.outcome = RT_OK;
}

void RT_REC(_ZNSt6thread6detachEv)(RtSite site, pthread_t *self) {
  DETACHING(d, site, *self);
  _ZNSt6thread6detachEv(self);
  d.outcome = RT_OK;
}

void RT_REC(CV(C1Ev))(RtSite site, void *self) {
  CV(C1Ev)(self);
  cond_init(site, self);
}
void RT_REC(CV(C2Ev))(RtSite site, void *self) {
  CV(C2Ev)(self);
  cond_init(site, self);
}
void RT_REC(CV(D1Ev))(RtSite site, void *self) {
  CV(D1Ev)(self);
  cond_destroy(site, self);
}
void RT_REC(CV(D2Ev))(RtSite site, void *self) {
  CV(D2Ev)(self);
  cond_destroy(site, self);
}

void RT_REC(CV(4waitERSt11unique_lockISt5mutexE))(RtSite site, void *self, void **lock) {
  cond_wait_with(site, self, *lock, CV(4waitERSt11unique_lockISt5mutexE), lock);
}

void RT_REC(CV(10notify_oneEv))(RtSite site, void *self) {
  Waking w = waking(site, RT_SIGNAL, self);
  CV(10notify_oneEv)(self);
  woken(w, RT_OK);
}

void RT_REC(CV(10notify_allEv))(RtSite site, void *self) {
  Waking w = waking(site, RT_BROADCAST, self);
  CV(10notify_allEv)(self);
  woken(w, RT_OK);
}

int RT_REC(__cxa_guard_acquire)(RtSite site, void *guard) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return __cxa_guard_acquire(guard);
  Cell *c = cell_of(t, guard, RT_ONCE_FLAG);
  uint64_t before = cell_look(c);
  int first = __cxa_guard_acquire(guard);
  if (first)
    once_begin(t, c, site);
  else
    once_passed(t, c, site, before);
  return first;
}

// The end is numbered before the others may go on.
void RT_REC(__cxa_guard_release)(RtSite site, void *guard) {
  RtThread *t = rec_enter();
  if (t) once_end(t, cell_of(t, guard, RT_ONCE_FLAG), site, true);
  __cxa_guard_release(guard);
}
void RT_REC(__cxa_guard_abort)(RtSite site, void *guard) {
  RtThread *t = rec_enter();
  if (t) once_end(t, cell_of(t, guard, RT_ONCE_FLAG), site, false);
  __cxa_guard_abort(guard);
}

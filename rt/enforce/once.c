// Once: the event is the return. Who is to run the routine starts at once, and its own events come in
// between; who is not waits until it has been run. Guards of C++'s static variables are three events of their
// own.
#include "enf.h"

typedef struct Once {
  void (*routine)(void);
  bool ran;
  struct Once *outer;
} Once;

// libc calls the routine without an argument.
static _Thread_local Once *running;

static void run(void) {
  Once *o = running;
  o->ran = true;
  o->routine();
}

static void leave(Once *o) {
  running = o->outer;
}

static void ended(const RtNode *n, bool ran) {
  if (!enf_on()) return;
  if (ran != (n->outcome == RT_ENF_RAN))
    enf_seen(n, ran ? "that the routine had not run before" : "that the routine had run before");
  else if (!ran || enf_arrive(n, NULL))
    enf_done(n);
}

int rt_enf_pthread_once(const RtNode *n, pthread_once_t *flag, void (*routine)(void)) {
  bool ok = n->outcome == RT_ENF_RAN ? enf_on() && enf_bind(n, n->object, flag) : enf_arrive(n, flag);
  if (!ok) return pthread_once(flag, routine);
  __attribute__((cleanup(leave))) Once o = {routine, false, running};
  running = &o;
  int e = pthread_once(flag, run);
  if (e)
    enf_finish(n, e);
  else
    ended(n, o.ran);
  return e;
}

void rt_enf_call_once(const RtNode *n, once_flag *flag, void (*routine)(void)) {
  bool ok = n->outcome == RT_ENF_RAN ? enf_on() && enf_bind(n, n->object, flag) : enf_arrive(n, flag);
  if (!ok) {
    call_once(flag, routine);
    return;
  }
  __attribute__((cleanup(leave))) Once o = {routine, false, running};
  running = &o;
  call_once(flag, run);
  ended(n, o.ran);
}

// Once: the event is the return, and events of the routine come before it. So who may be about to run the
// routine takes the node when that is over.
#include "rolls.h"

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

static const RollSlot *next_at(RtSite site) {
  RollCursor *c = roll_open();
  const RollSlot *s = c ? roll_next(c) : NULL;
  return s && s->site == site && s->stack == rt_roll_stack ? s : NULL;
}

int rt_roll_asks(uint32_t site) {
  return roll.table && next_at(site);
}

// The next event is this return, and another thread has run the routine.
static bool waits(RtSite site) {
  const RollSlot *s = next_at(site);
  return s && roll_node(s)->outcome != RT_ENF_RAN;
}

// Behind the routine.
static void ended(RtSite site, const void *flag, const char *name, const Once *o, int error) {
  const RtNode *n = roll_take(site, name);
  if (!n) return;
  if (!error && o->ran != (n->outcome == RT_ENF_RAN))
    enf_seen(n, o->ran ? "that the routine had not run before" : "that the routine had run before");
  else if (enf_arrive(n, flag))
    enf_finish(n, error ? error : n->outcome);
}

int rt_rec_pthread_once(RtSite site, pthread_once_t *flag, void (*routine)(void)) {
  if (waits(site)) return rt_enf_pthread_once(roll_take(site, "pthread_once"), flag, routine);
  __attribute__((cleanup(leave))) Once o = {routine, false, running};
  running = &o;
  int e = pthread_once(flag, run);
  ended(site, flag, "pthread_once", &o, e);
  return e;
}

void rt_rec_call_once(RtSite site, once_flag *flag, void (*routine)(void)) {
  if (waits(site)) {
    rt_enf_call_once(roll_take(site, "call_once"), flag, routine);
    return;
  }
  __attribute__((cleanup(leave))) Once o = {routine, false, running};
  running = &o;
  call_once(flag, run);
  ended(site, flag, "call_once", &o, 0);
}

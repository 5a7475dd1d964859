// Once: who runs the routine brackets it with ONCE_BEGIN and ONCE_END; who does not comes behind ONCE_END.
// C++'s guards of static variables are the same in three calls.
#include "rec.h"

enum { ONCE_DONE = 1 };  // in the low half of the cell's word

HIDDEN void once_begin(RtThread *t, Cell *c, RtSite site) {
  log_add(t, site, RT_ONCE_BEGIN, c, CELL_ONE, RT_OK);
}

HIDDEN void once_end(RtThread *t, Cell *c, RtSite site, bool done) {
  if (done)
    log_add(t, site, RT_ONCE_END, c, CELL_ONE + ONCE_DONE, RT_OK);
  else
    log_add(t, site, RT_ONCE_ABORT, c, CELL_ONE, RT_UNWOUND);
}

// Another thread ran it. Without a number of that the routine ran in code without hooks.
HIDDEN void once_passed(RtThread *t, Cell *c, RtSite site, uint64_t before) {
  bool seen = (uint32_t)cell_look(c) & ONCE_DONE, waited = !((uint32_t)before & ONCE_DONE);
  log_loose(t, site, RT_ONCE, c, waited ? RT_WAITED : RT_OK, seen ? 0 : RT_UNSURE);
}

typedef struct Once {
  RtThread *t;
  Cell *c;
  const void *flag;
  uint64_t before;
  RtSite site;
  void (*routine)(void);
  bool ran, done;
  struct Once *outer;
} Once;

// libc calls the routine without an argument.
static _Thread_local Once *running;

// The routine may have forked: then this is a child, which knows nothing of before.
// std::uncaught_exception, in programs that have it: the thread goes on behind the routine, and is not cancelled.
extern bool thrown(void) __asm__("_ZSt18uncaught_exceptionv") __attribute__((weak));

static void run_end(Once **o) {
  RtThread *t = rec_enter();
  if (!t) return;
  Cell *c = cell_of(t, (*o)->flag, RT_ONCE_FLAG);
  if (!(*o)->done && thrown && thrown())
    log_add(t, (*o)->site, RT_ONCE_ABORT, c, CELL_ONE, RT_FAILED);
  else
    once_end(t, c, (*o)->site, (*o)->done);
}
static void run(void) {
  __attribute__((cleanup(run_end))) Once *o = running;
  o->ran = true;
  once_begin(o->t, o->c, o->site);
  o->routine();
  o->done = true;
}

static void leave(Once *o) {
  running = o->outer;
}

int rt_rec_pthread_once(RtSite site, pthread_once_t *flag, void (*routine)(void)) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) return pthread_once(flag, routine);
  Cell *c = cell_of(t, flag, RT_ONCE_FLAG);
  __attribute__((cleanup(leave))) Once o = {t, c, flag, cell_look(c), site, routine, false, false, running};
  running = &o;
  int e = pthread_once(flag, run);
  if (!o.ran) once_passed(t, c, site, o.before);
  return e;
}

void rt_rec_call_once(RtSite site, once_flag *flag, void (*routine)(void)) {
  RtThread *t = rec_enter();
  if (unlikely(!t)) {
    call_once(flag, routine);
    return;
  }
  Cell *c = cell_of(t, flag, RT_ONCE_FLAG);
  __attribute__((cleanup(leave))) Once o = {t, c, flag, cell_look(c), site, routine, false, false, running};
  running = &o;
  call_once(flag, run);
  if (!o.ran) once_passed(t, c, site, o.before);
}

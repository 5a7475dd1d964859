// The life of a schedule: begin, code that is entered from outside, the end of the process.
#include <linux/membarrier.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>
#include "enf.h"
#include "rt/select.h"

HIDDEN Enf enf;

HIDDEN void enf_special(uint32_t bits) {
  for (uint32_t i = 0; i < enf.schedule->threads; ++i) atomic_fetch_or(&rt_enf_threads[i].special, bits);
}

// The event that ends the process comes after the last events of all threads. Whoever ends it earlier may:
// then nothing is waited for.
static void last_event(void) {
  EnfThread *t = enf_self;
  if (!t || t->number != enf.schedule->end_thread) return;
  const RtNode *n = enf.schedule->plan[t->number].exit;
  if (n && atomic_load(&rt_enf_threads[t->number].published) == n->before && enf_arrive(n, NULL)) enf_done(n);
}

HIDDEN void enf_process_end(void) {
  if (enf_on()) last_event();
  if (enf_on()) enf_recheck_tell();
}

static void at_exit(int status, void *unused) {
  (void)status, (void)unused;
  enf_process_end();
}

// Before the program's own constructors: handlers run in reverse order.
__attribute__((constructor(101))) static void start(void) {
  on_exit(at_exit, NULL);
  at_quick_exit(enf_process_end);
  enf_forks_watch();
}

// Old kernels and strict sandboxes have none: then every publisher pays a fence, on its slow path.
static bool can_membarrier(void) {
#ifdef RT_MUTANTS
  if (rt_enf_fences) return false;
#endif
  return !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

static void patience_read(bool may_go_on) {
  enum { MOST = 1000000 };
  const char *given = secure_getenv("SPECIALIZE_PATIENCE");
  char *end = NULL;
  unsigned long seconds = given && *given >= '0' && *given <= '9' ? strtoul(given, &end, 10) : RT_PATIENCE;
  bool known = end && !*end && seconds <= MOST;
  atomic_store(&enf.patience, (uint32_t)(known ? seconds : RT_PATIENCE) * 1000);
  enf.patient = !known && !may_go_on;
}

static const char *lacks(const RtSchedule *s, int *error) {
  *error = EINVAL;
  if (s->version < RT_ENFORCE_VERSION || s->version > RT_ENFORCE_ROLLED) return "its version";
  *error = enf_threads_make(s);
  if (*error) return "threads";
  *error = ENOMEM;
  bool made = enf_objects_make(s) && enf_barriers_make(s) && enf_recheck_make(s) && enf_rests_make();
  return made ? NULL : "memory";
}

int rt_enf_ready(const RtSchedule *s) {
  int error;
  enf.schedule = s;
  const char *verbose = secure_getenv("SPECIALIZE_VERBOSE");
  enf.quiet = s->free && !(verbose && *verbose == '1' && !verbose[1]);
  const char *what = lacks(s, &error);
  if (what) enf_cannot(what, error), enf.schedule = NULL;
  return !what;
}

int rt_enf_ready_alone(int64_t id, const RtSchedule *s) {
  return rt_select_alone(id) && rt_enf_ready(s);
}

void rt_enf_begin(const RtSchedule *s) {
  if (enf.schedule != s && !rt_enf_ready(s)) _exit(RT_EXIT_DIVERGED);
  patience_read(s->free);
  if (!can_membarrier()) enf_special(ENF_SPECIAL_FENCE);
#if defined(RT_CHAOS) && !defined(RT_MUTANTS)
  enf_special(ENF_SPECIAL_CHAOS);  // what was inlined has no chaos in it
#endif
  enf_forks_make();
  enf.threads[0].name = pthread_self();
  enf_thread_begin(&enf.threads[0]);
  atomic_store(&enf.mode, ENF_ON);
}

static bool is_handler(const void *function) {
  for (int i = 1; i < NSIG; ++i) {
    struct sigaction a;
    if (!sigaction(i, NULL, &a) && (const void *)(uintptr_t)a.sa_handler == function) return true;
  }
  return false;
}

// Only there if the program is linked with libgcc's unwinder anyway.
extern _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void *) __attribute__((weak));
extern _Unwind_Ptr _Unwind_GetIPInfo(struct _Unwind_Context *, int *) __attribute__((weak));

// The frame of a signal says that its address is that of the next instruction, not of a return.
static _Unwind_Reason_Code look_for_signal(struct _Unwind_Context *c, void *found) {
  int before = 0;
  _Unwind_GetIPInfo(c, &before);
  *(bool *)found |= before != 0;
  return before ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static bool in_handler(void) {
  bool found = false;
  if (_Unwind_Backtrace && _Unwind_GetIPInfo) _Unwind_Backtrace(look_for_signal, &found);
  return found;
}

// Whether the plan of this thread has this entry next.
static const RtCallback *expected(const EnfThread *t, const void *function) {
  const RtPlan *plan = &enf.schedule->plan[t->number];
  if (t->callback >= plan->callbacks) return NULL;
  const RtCallback *c = &plan->callback[t->callback];
  bool now = atomic_load(&rt_enf_threads[t->number].published) == c->before;
  return now && c->function == function ? c : NULL;
}

const void *rt_enf_stub(const void *function) {
  EnfThread *t = enf_self;
  if (!t || enf_is_child()) return NULL;
  enf_settle();
  if (!enf_on()) return NULL;
  const RtCallback *c = expected(t, function);
  if (c) {
    ++t->callback;
    return c->clone;
  }
  int saved = errno;
  if (!is_handler(function) && !in_handler())
    enf_thread_seen(t->number, "a call of another function from outside code");
  enf_settle();
  errno = saved;
  return NULL;
}

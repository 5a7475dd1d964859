// Threads: who runs as which of the schedule, and their ends. A thread ends in a key destructor in the last
// round, as it was recorded: behind C++'s thread_local objects and the program's own keys.
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"
#include "rt/rounds.h"

HIDDEN _Thread_local EnfThread *enf_self;
static pthread_key_t key;

static void thread_end(void *p) {
  EnfThread *t = p;
  if (!enf_on()) return;
  if (++t->rounds < LAST_ROUND) {
    pthread_setspecific(key, t);
    return;
  }
  const RtNode *n = enf.schedule->plan[t->number].exit;
  // Without an end in the schedule: the process ended before the thread did, which it may overtake now.
  bool early = n && atomic_load(&rt_enf_threads[t->number].published) != n->before;
  if (early && !RT_MUTANT(NO_EXIT_CHECK))
    enf_thread_seen(t->number, "the end of the thread");
  else if (n && !early && enf_arrive(n, NULL))
    enf_done(n);
  atomic_store(&t->life, ENF_ENDED);
  enf_count_thread(-1);
  enf_self = NULL;
}

HIDDEN int enf_threads_make(const RtSchedule *s) {
  enf.threads = enf_memory(s->threads * sizeof *enf.threads);
  if (!enf.threads) return errno;
  for (uint32_t i = 0; i < s->threads; ++i) {
    enf.threads[i].number = i;
    enf.threads[i].target = enf.threads[i].barrier = RT_NONE32;
  }
  return pthread_key_create(&key, thread_end);
}

HIDDEN void enf_thread_begin(EnfThread *t) {
  enf_self = t;
  pthread_setspecific(key, t);
  atomic_store(&t->tid, (int32_t)syscall(SYS_gettid));
  atomic_store(&t->life, ENF_LIVES);
  enf_count_thread(1);
}

static bool enter(EnfThread *t) {
  if (!enf_on()) return false;
  enf_thread_begin(t);
  const RtNode *n = enf.schedule->plan[t->number].enter;
  if (!n) enf_rest();  // the process ended before it had begun
  if (!n || !enf_arrive(n, NULL)) return false;
  enf_done(n);
  return true;
}

HIDDEN bool enf_thread_enter(EnfThread *t) {
  bool held = enter(t);
  if (!held) enf_settle();
  return held;
}

HIDDEN EnfThread *enf_child(const RtNode *n) {
  return n->object == RT_NONE32 ? NULL : &enf.threads[n->object];
}

// One that is to fail and does not runs as it would have without us.
HIDDEN bool enf_creates(const RtNode *n, const void *routine) {
  if (!enf_arrive(n, NULL)) return false;
  if (!n->function || n->function == routine) return true;
  enf_seen(n, "another routine");
  return false;
}

HIDDEN void enf_created(const RtNode *n, EnfThread *child, int outcome, pthread_t name) {
  if (child && !outcome) child->name = name;
  enf_finish(n, outcome);
}

static const void *code_of(EnfThread *t) {
  return enf_thread_enter(t) ? t->code : NULL;
}

static void *child_run(void *p) {
  EnfThread *t = p;
  void *(*routine)(void *) = t->start.posix;
  const void *code = code_of(t);
  if (code) routine = (void *(*)(void *))(uintptr_t)code;
  return routine(t->argument);
}

static int child_run_c11(void *p) {
  EnfThread *t = p;
  thrd_start_t routine = t->start.c11;
  const void *code = code_of(t);
  if (code) routine = (thrd_start_t)(uintptr_t)code;
  return routine(t->argument);
}

int rt_enf_pthread_create(const RtNode *n, pthread_t *id, const pthread_attr_t *attr,
                          void *(*routine)(void *), void *argument) {
  if (!enf_creates(n, (const void *)(uintptr_t)routine)) return pthread_create(id, attr, routine, argument);
  EnfThread *child = enf_child(n);
  if (!child) {
    int e = pthread_create(id, attr, routine, argument);
    enf_created(n, NULL, e, 0);
    return e;
  }
  child->start.posix = routine;
  child->argument = argument;
  child->code = n->code;
  int e = pthread_create(id, attr, child_run, child);
  enf_created(n, child, e, e ? 0 : *id);
  return e;
}

int rt_enf_thrd_create(const RtNode *n, thrd_t *id, thrd_start_t routine, void *argument) {
  if (!enf_creates(n, (const void *)(uintptr_t)routine)) return thrd_create(id, routine, argument);
  EnfThread *child = enf_child(n);
  if (!child) {
    int r = thrd_create(id, routine, argument);
    enf_created(n, NULL, rt_outcome_THRD(r), 0);
    return r;
  }
  child->start.c11 = routine;
  child->argument = argument;
  child->code = n->code;
  int r = thrd_create(id, child_run_c11, child);
  enf_created(n, child, rt_outcome_THRD(r), r ? 0 : *id);
  return r;
}

// The node names a thread of the schedule; the argument must be the one that runs as it.
HIDDEN bool enf_thread_arrive(const RtNode *n, pthread_t id) {
  if (!enf_arrive(n, NULL)) return false;
  if (n->object == RT_NONE32 || pthread_equal(enf.threads[n->object].name, id)) return true;
  enf_seen(n, "another thread");
  return false;
}

// Joining is a cancellation point; if it was joined in the recording, a cancellation came later or not at
// all.
typedef struct {
  bool on;
  int state;
} Held;
static Held hold(const RtNode *n) {
  Held h = {n->outcome != RT_ENF_CANCELLED, 0};
  if (h.on) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &h.state);
  return h;
}
static void let_go(Held h) {
  if (h.on) pthread_setcancelstate(h.state, &h.state);
}

// A try that is to succeed may come before the thread has ended for the kernel too.
#define JOIN(result, joined, arguments, name, ...)                                         \
  int rt_enf_##name(const RtNode *n, __VA_ARGS__) {                                        \
    if (!enf_thread_arrive(n, id)) return name arguments;                                  \
    Held h = hold(n);                                                                      \
    int r = n->outcome ? name arguments : joined;                                          \
    for (unsigned i = 0; enf_again(n, rt_outcome_##result(r), i); ++i) r = name arguments; \
    let_go(h);                                                                             \
    enf_finish(n, rt_outcome_##result(r));                                                 \
    return r;                                                                              \
  }
#define POSIX_JOIN(arguments, name, ...) JOIN(ERROR, pthread_join(id, value), arguments, name, __VA_ARGS__)
POSIX_JOIN((id, value), pthread_join, pthread_t id, void **value)
POSIX_JOIN((id, value), pthread_tryjoin_np, pthread_t id, void **value)
POSIX_JOIN((id, value, d), pthread_timedjoin_np, pthread_t id, void **value, const struct timespec *d)
POSIX_JOIN((id, value, k, d), pthread_clockjoin_np, pthread_t id, void **value, clockid_t k,
           const struct timespec *d)
JOIN(THRD, thrd_join(id, value), (id, value), thrd_join, thrd_t id, int *value)

int rt_enf_pthread_detach(const RtNode *n, pthread_t id) {
  if (!enf_thread_arrive(n, id)) return pthread_detach(id);
  int e = pthread_detach(id);
  enf_finish(n, e);
  return e;
}

int rt_enf_thrd_detach(const RtNode *n, thrd_t id) {
  if (!enf_thread_arrive(n, id)) return thrd_detach(id);
  int r = thrd_detach(id);
  enf_finish(n, rt_outcome_THRD(r));
  return r;
}

int rt_enf_pthread_cancel(const RtNode *n, pthread_t id) {
  if (!enf_thread_arrive(n, id)) return pthread_cancel(id);
  int e = pthread_cancel(id);
  enf_finish(n, e);
  return e;
}

// Its own exit stands where it was recorded to be cancelled there; else it returned, and a cancellation that
// is pending already was not then.
void rt_enf_pthread_testcancel(const RtNode *n) {
  if (!enf_arrive(n, NULL)) {
    pthread_testcancel();
    return;
  }
  if (n->outcome == RT_ENF_CANCELLED || n == enf.schedule->plan[n->thread].exit) {
    pthread_testcancel();
    enf_finish(n, 0);
  } else {
    enf_done(n);
  }
}

static void exits(const RtNode *n) {
  if (enf_on() && atomic_load(&rt_enf_threads[n->thread].published) != n->before) enf_out_of_order(n);
}
noreturn void rt_enf_pthread_exit(const RtNode *n, void *result) {
  exits(n);
  pthread_exit(result);
}
noreturn void rt_enf_thrd_exit(const RtNode *n, int result) {
  exits(n);
  thrd_exit(result);
}

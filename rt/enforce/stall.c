// Whether a parked thread waits in vain. It does if it waits for a thread that has ended, or in a circle; or
// if all threads of the process sleep, each parked by us or in a call that only threads of this process can
// complete: nobody is left to wake anybody. What is seen must be the same twice, one timeout apart.
//
// Else it may be slow. If nobody comes to an event for as long as the patience lasts, and the one that looks
// is held by the order alone (free, it would go on; where that is not so, the original would wait just the
// same), then one of three holds for the others. A thread naps, again and again, and its stack does not
// change: it waits for what a parked thread should write, and the run has left its schedule. (One long sleep
// is no such nap.) Or a thread runs: it spins, or computes, nobody can tell. Or it waits for something
// outside, which may come. The last two are told once, and only who has asked for a patience, or whose run
// may go on free, leaves.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "asleep.h"
#include "enf.h"

#define FIRST UINT64_C(14695981039346656037)

static bool lacks(const EnfThread *t) {
  uint32_t target = atomic_load(&t->target);
  return target != RT_NONE32 && atomic_load(&rt_enf_threads[target].published) < atomic_load(&t->need);
}

static bool in_circle(uint32_t thread) {
  const EnfThread *t = &enf.threads[thread];
  for (uint32_t i = 0; i <= enf.schedule->threads && lacks(t); ++i) {
    t = &enf.threads[atomic_load(&t->target)];
    if (t->number == thread) return true;
  }
  return false;
}

// What all tasks of the process are doing but those that are parked.
typedef struct {
  uint64_t seen;   // where they sleep
  uint64_t stack;  // what lies on the stacks of those that nap
  uint64_t ran;    // nanoseconds of the processor, of those that run or nap
  uint64_t turns;  // how often these have got the processor
  bool runs, naps, outside;
  bool deep;
} Tasks;

// "<nanoseconds on the processor> <waiting for it> <turns>".
static void add_times(int tid, Tasks *all) {
  char name[64], text[128];
  unsigned long long ran = 0, waited = 0, turns = 0;
  snprintf(name, sizeof name, "/proc/self/task/%d/schedstat", tid);
  if (asleep_read(name, text, sizeof text) > 0) sscanf(text, "%llu %llu %llu", &ran, &waited, &turns);
  all->ran += ran, all->turns += turns;
}

static const EnfThread *thread_of(int tid) {
  for (uint32_t i = 0; i < enf.schedule->threads; ++i)
    if (atomic_load(&enf.threads[i].tid) == tid) return &enf.threads[i];
  return NULL;
}

// Parked by us, and its time to go on has not come.
static bool is_parked(const EnfThread *t) {
  return t && atomic_load(&t->life) == ENF_LIVES && (lacks(t) || atomic_load(&t->barrier) != RT_NONE32);
}

static bool look_at(const char *name, void *tasks) {
  Tasks *all = tasks;
  int tid = atoi(name);
  const EnfThread *t = thread_of(tid);
  if (is_parked(t)) {
    uint32_t published = atomic_load(&rt_enf_threads[t->number].published);
    all->seen = asleep_mix(asleep_mix(all->seen, (uint64_t)tid), published);
    return true;
  }
  uintptr_t limit = t && t->number ? (uintptr_t)t->name : 0;
  Asleep how = asleep_in(tid, limit, all->deep, &all->seen, &all->stack);
  all->outside |= how == ASLEEP_OUTSIDE, all->naps |= how == ASLEEP_NAPS, all->runs |= how == ASLEEP_NOT;
  if (how == ASLEEP_NOT || how == ASLEEP_NAPS) add_times(tid, all);
  return true;
}

static Tasks look_around(bool deep) {
  Tasks all = {.seen = FIRST, .stack = FIRST, .deep = deep};
  if (!asleep_list("/proc/self/task", look_at, &all)) all.outside = true;
  return all;
}

// Where one runs, the others do not count: whose files they wait for need not be found out. On a busy machine
// one that naps may be seen waiting for the processor: a few looks more, unless the wait is over.
static Tasks tasks(const EnfThread *me) {
  enum { LOOKS = 20 };
  Tasks all = look_around(false);
  for (int i = 0; i < LOOKS && all.runs && is_parked(me); ++i) {
    syscall(SYS_nanosleep, &(struct timespec){0, 1000000}, NULL);
    all = look_around(false);
  }
  return all.runs || !(all.outside || all.naps) ? all : look_around(true);
}

static bool is_gone(const EnfThread *t) {
  if (atomic_load(&t->life) == ENF_ENDED) return true;
  if (atomic_load(&t->life) == ENF_NOT_YET) return false;
  return syscall(SYS_tgkill, syscall(SYS_getpid), atomic_load(&t->tid), 0) && errno == ESRCH;
}

// A program that has one for timers or its own signals may post or unlock there. Those that people send, and
// faults, do not count.
static bool handlers_may_wake(void) {
  static const int others[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS,   SIGFPE,
                               SIGSEGV, SIGPIPE, SIGTERM, SIGSYS, SIGTSTP, SIGCONT, SIGWINCH, SIGXCPU};
  for (int i = 1; i < NSIG; ++i) {
    bool other = false;
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k) other |= others[k] == i;
    struct sigaction a;
    if (other || sigaction(i, NULL, &a)) continue;
    if (a.sa_handler != SIG_DFL && a.sa_handler != SIG_IGN) return true;
  }
  return false;
}

static bool is_held(const pthread_mutex_t *m, const EnfThread *me) {
#ifdef __GLIBC__
  return __atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED) && m->__data.__owner != atomic_load(&me->tid);
#else
  (void)m, (void)me;
  return false;
#endif
}

// Whether the thread parked at n could go on if the run were free; if that is not known, yes.
static bool waits_for_order(const RtNode *n) {
  const EnfThread *me = &enf.threads[n->thread];
  uint32_t target = atomic_load(&me->target);
  if (target == RT_NONE32 || me->wants_signal) return false;  // a barrier, a condition
  const RtNode *exit = enf.schedule->plan[target].exit;
  if (exit && atomic_load(&me->need) > exit->position) return n == enf.schedule->plan[n->thread].exit;
  if (!me->operand || n->object == RT_NONE32) return true;
  int units;
  switch (enf.schedule->object[n->object].family) {
    case RT_MUTEX:
      return !is_held(me->operand, me);
    case RT_SEMAPHORE:
      return sem_getvalue((sem_t *)(uintptr_t)me->operand, &units) || units > 0;
    case RT_ONCE_FLAG:
      return false;
    default:
      return true;
  }
}

HIDDEN int64_t enf_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

HIDDEN int64_t enf_patience(const EnfSeen *seen) {
  uint32_t patience = atomic_load(&enf.patience);
  return seen->slow && patience ? seen->since + patience - enf_now() : INT64_MAX;
}

static uint64_t published_by_all(void) {
  uint64_t hash = FIRST;
  for (uint32_t i = 0; i < enf.schedule->threads; ++i)
    hash = asleep_mix(hash, atomic_load(&rt_enf_threads[i].published));
  return hash;
}

static void look_for_delay(const RtNode *n, const Tasks *all, EnfSeen *seen) {
  uint64_t published = published_by_all();
  bool slow = (all->runs || all->naps || all->outside) && waits_for_order(n);
  bool naps = all->naps && !all->runs && !all->outside;
  if (!slow || !seen->slow || published != seen->published) {
    *seen = (EnfSeen){.vain = seen->vain, .naps = true, .published = published, .since = enf_now()};
    seen->ran = all->ran, seen->turns = all->turns;
  }
  if (naps && seen->stack && seen->stack != all->stack) seen->naps = false;
  if (naps) seen->stack = all->stack;
  seen->slow = slow;
  seen->outside |= all->outside;
  seen->used = all->ran - seen->ran;
  seen->turned = all->turns - seen->turns;
}

// Who naps uses little of the processor; who computes and was seen asleep once does not.
HIDDEN EnfDelay enf_delay(EnfSeen *seen) {
  enum { SEVERAL = 4, NS_IN_MS = 1000000, LITTLE = 4 };
  if (!seen->used && !seen->outside) {  // the whole process was stopped, or it is one long sleep
    seen->since = enf_now();
    return ENF_NO_DELAY;
  }
  uint64_t passed = (uint64_t)(enf_now() - seen->since) * NS_IN_MS;
  bool little = seen->used < passed / LITTLE;
  if (seen->naps && seen->stack && !seen->outside && little && seen->turned >= SEVERAL) return ENF_NAPS;
  return seen->outside ? ENF_OUTSIDE : ENF_SPINS;
}

HIDDEN const char *enf_stalled(const RtNode *n, bool handlers, EnfSeen *seen) {
  const EnfThread *me = &enf.threads[n->thread];
  uint32_t target = atomic_load(&me->target);
  const char *why = NULL;
  Tasks all = tasks(me);
  uint64_t state = all.seen;
  look_for_delay(n, &all, seen);
  if (target != RT_NONE32 && is_gone(&enf.threads[target]))
    why = "has ended", state = FIRST;
  else if (in_circle(n->thread))
    why = "waits for this thread in turn", state = FIRST;
  else if (!all.runs && !all.naps && !all.outside && !(handlers && handlers_may_wake()))
    why = "sleeps, like all other threads";
  state = why ? asleep_mix(state, (uintptr_t)why) : 0;
  bool same = state == seen->vain;
  seen->vain = state;
  return same ? why : NULL;
}

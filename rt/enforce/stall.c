// Whether a parked thread waits in vain. It does if it waits for a thread that has ended, or in a circle; or
// if all threads of the process sleep, each parked by us or in a futex without a timeout, as who waits for a
// lock or a join does: nobody is left to wake anybody. A thread that runs, or sleeps in any other system
// call, may come: it is slow, or waits for the world outside.
//
// What is seen must be the same twice, one timeout apart. Files are read by plain system calls: the C
// library's are cancellation points, and may allocate by functions of the program.
//
// A thread that spins until a parked one has written something looks like one that computes. Nobody can tell
// them apart, so it takes long: all others sleep as above, it runs (or naps) and uses the processor, no
// thread comes to an event, and the one that looks is held by the order alone: free, it would go on. Where
// that is not so, the original would wait just the same.
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

#define FIRST UINT64_C(14695981039346656037)

static uint64_t mix(uint64_t hash, uint64_t more) {
  return (hash ^ more) * UINT64_C(0x100000001b3);
}

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

static long file_read(const char *name, char *to, size_t size) {
  long fd = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  long n = syscall(SYS_read, fd, to, size - 1);
  syscall(SYS_close, fd);
  to[n < 0 ? 0 : n] = 0;
  return n;
}

typedef enum { OUTSIDE, SLEEPS, AWAKE } Doing;

// What all tasks of the process are doing.
typedef struct {
  uint64_t seen;  // where they sleep
  uint64_t ran;   // nanoseconds of the processor, of those that are awake
  bool awake, outside;
} Tasks;

static uint64_t time_of(int tid) {
  char name[64], text[128];
  snprintf(name, sizeof name, "/proc/self/task/%d/schedstat", tid);
  return file_read(name, text, sizeof text) > 0 ? strtoull(text, NULL, 10) : 0;
}

// The file says `running`, or the number of the system call and its arguments: `202 ADDRESS OP VALUE
// TIMEOUT`.
static Doing task_call(int tid, uint64_t *seen) {
  char name[64], text[256];
  snprintf(name, sizeof name, "/proc/self/task/%d/syscall", tid);
  if (file_read(name, text, sizeof text) <= 0) return OUTSIDE;
  if (!strncmp(text, "running", 7)) return AWAKE;
  unsigned long a[5];
  char *at = text;
  for (int i = 0; i < 5; ++i) {
    char *end;
    a[i] = strtoul(at, &end, 0);
    if (end == at) return OUTSIDE;
    at = end;
  }
  if (a[0] == SYS_nanosleep || a[0] == SYS_clock_nanosleep) return AWAKE;
  unsigned long op = a[2] & FUTEX_CMD_MASK;
  bool waits =
      op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET || op == FUTEX_LOCK_PI || op == FUTEX_WAIT_REQUEUE_PI;
  *seen = mix(mix(*seen, (uint64_t)tid), a[1]);
  return a[0] == SYS_futex && waits && a[2] & FUTEX_PRIVATE_FLAG && !a[4] ? SLEEPS : OUTSIDE;
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

static void look_at(int tid, Tasks *all) {
  const EnfThread *t = thread_of(tid);
  if (is_parked(t)) {
    all->seen = mix(mix(all->seen, (uint64_t)tid), atomic_load(&rt_enf_threads[t->number].published));
    return;
  }
  Doing d = task_call(tid, &all->seen);
  all->outside |= d == OUTSIDE;
  if (d != AWAKE) return;
  all->awake = true;
  all->ran += time_of(tid);
}

typedef struct {
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
} Dirent;

// As soon as one is outside the others do not count.
static Tasks tasks(void) {
  _Alignas(8) char list[4096];
  Tasks all = {.seen = FIRST};
  long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  all.outside = fd < 0;
  for (long n; !all.outside && (n = syscall(SYS_getdents64, fd, list, sizeof list)) > 0;) {
    for (long i = 0; !all.outside && i < n;) {
      const Dirent *d = (const Dirent *)(const void *)(list + i);
      int tid = atoi(d->name);
      if (tid) look_at(tid, &all);
      i += d->size;
    }
  }
  if (fd >= 0) syscall(SYS_close, fd);
  return all;
}

static bool is_gone(const EnfThread *t) {
  char name[64], text[16];
  if (atomic_load(&t->life) == ENF_ENDED) return true;
  if (atomic_load(&t->life) == ENF_NOT_YET) return false;
  snprintf(name, sizeof name, "/proc/self/task/%d/comm", atomic_load(&t->tid));
  return file_read(name, text, sizeof text) < 0 && errno == ENOENT;
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
  return seen->ran && patience ? seen->since + patience - enf_now() : INT64_MAX;
}

static void look_for_spinning(const RtNode *n, const Tasks *all, EnfSeen *seen) {
  uint64_t published = FIRST;
  for (uint32_t i = 0; i < enf.schedule->threads; ++i)
    published = mix(published, atomic_load(&rt_enf_threads[i].published));
  bool spins = all->awake && !all->outside && waits_for_order(n);
  bool goes_on = spins && seen->ran && published == seen->published && all->ran > seen->ran;
  if (!goes_on) seen->since = enf_now();
  seen->published = published;
  seen->ran = spins ? all->ran : 0;
}

HIDDEN const char *enf_stalled(const RtNode *n, bool handlers, EnfSeen *seen) {
  const EnfThread *me = &enf.threads[n->thread];
  uint32_t target = atomic_load(&me->target);
  const char *why = NULL;
  Tasks all = tasks();
  uint64_t state = all.seen;
  look_for_spinning(n, &all, seen);
  if (target != RT_NONE32 && is_gone(&enf.threads[target]))
    why = "has ended", state = FIRST;
  else if (in_circle(n->thread))
    why = "waits for this thread in turn", state = FIRST;
  else if (!all.awake && !all.outside && !(handlers && handlers_may_wake()))
    why = "sleeps, like all other threads";
  state = why ? mix(state, (uintptr_t)why) : 0;
  bool same = state == seen->vain;
  seen->vain = state;
  return same ? why : NULL;
}

// Whether a parked thread waits in vain. It does if it waits for a thread that has ended, or in a circle; or
// if all threads of the process sleep, each parked by us or in a futex without a timeout, as who waits for a
// lock or a join does: nobody is left to wake anybody. A thread that runs, or sleeps in any other system
// call, may come: it is slow, or waits for the world outside.
//
// What is seen must be the same twice, one timeout apart. Files are read by plain system calls: the C
// library's are cancellation points, and may allocate by functions of the program.
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

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

// What a task is doing; false: it may go on by itself. The file says `202 ADDRESS OP VALUE TIMEOUT ...`.
static bool sleeps_for_good(int tid, uint64_t *seen) {
  char name[64], text[256];
  snprintf(name, sizeof name, "/proc/self/task/%d/syscall", tid);
  if (file_read(name, text, sizeof text) <= 0) return false;
  unsigned long a[5];
  char *at = text;
  for (int i = 0; i < 5; ++i) {
    char *end;
    a[i] = strtoul(at, &end, 0);
    if (end == at) return false;  // `running`
    at = end;
  }
  unsigned long op = a[2] & FUTEX_CMD_MASK;
  bool waits =
      op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET || op == FUTEX_LOCK_PI || op == FUTEX_WAIT_REQUEUE_PI;
  *seen = mix(mix(*seen, (uint64_t)tid), a[1]);
  return a[0] == SYS_futex && waits && a[2] & FUTEX_PRIVATE_FLAG && !a[4];
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

static bool task_sleeps(int tid, uint64_t *seen) {
  const EnfThread *t = thread_of(tid);
  if (!is_parked(t)) return sleeps_for_good(tid, seen);
  *seen = mix(mix(*seen, (uint64_t)tid), atomic_load(&rt_enf_threads[t->number].published));
  return true;
}

typedef struct {
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
} Dirent;

static bool all_sleep(uint64_t *seen) {
  _Alignas(8) char list[4096];
  long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  bool all = true;
  for (long n; all && (n = syscall(SYS_getdents64, fd, list, sizeof list)) > 0;) {
    for (long i = 0; all && i < n;) {
      const Dirent *d = (const Dirent *)(const void *)(list + i);
      int tid = atoi(d->name);
      if (tid) all = task_sleeps(tid, seen);
      i += d->size;
    }
  }
  syscall(SYS_close, fd);
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

HIDDEN const char *enf_stalled(const RtNode *n, bool handlers, uint64_t *before) {
  const EnfThread *me = &enf.threads[n->thread];
  uint32_t target = atomic_load(&me->target);
  uint64_t seen = 14695981039346656037u;
  const char *why = NULL;
  if (target != RT_NONE32 && is_gone(&enf.threads[target]))
    why = "has ended";
  else if (in_circle(n->thread))
    why = "waits for this one in turn";
  else if (all_sleep(&seen) && !(handlers && handlers_may_wake()))
    why = "sleeps, as all others do";
  seen = why ? mix(seen, (uintptr_t)why) : 0;
  bool same = seen == *before;
  *before = seen;
  return same ? why : NULL;
}

// What a sleeping thread waits for, as /proc tells it: for a time, for threads of this process and nothing
// else, or for what something outside may bring. A pipe, a socket pair or an eventfd belongs to this process
// alone if no other one has it open. What cannot be found out counts as outside.
//
// Files are read by plain system calls: the C library's are cancellation points, and may allocate by
// functions of the program.
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "rt/maps.h"
#include "asleep.h"

HIDDEN long asleep_read(const char *name, char *to, size_t size) {
  long fd = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  long n = syscall(SYS_read, fd, to, size - 1);
  syscall(SYS_close, fd);
  to[n < 0 ? 0 : n] = 0;
  return n;
}

static long link_read(const char *name, char *to, size_t size) {
  long n = syscall(SYS_readlinkat, AT_FDCWD, name, to, size - 1);
  to[n < 0 ? 0 : n] = 0;
  return n;
}

// Memory of a thread that sleeps, which may be gone: false.
static bool copy(void *to, uintptr_t from, size_t size) {
  struct iovec here = {to, size}, there = {(void *)from, size};  // NOLINT: an address of this process
  return syscall(SYS_process_vm_readv, syscall(SYS_getpid), &here, 1, &there, 1, 0) == (long)size;
}

typedef struct {
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
} Dirent;

HIDDEN bool asleep_list(const char *directory, bool (*each)(const char *name, void *), void *with) {
  _Alignas(8) char list[4096];
  long fd = syscall(SYS_openat, AT_FDCWD, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), n;
  bool go_on = fd >= 0;
  while (go_on && (n = syscall(SYS_getdents64, fd, list, sizeof list)) > 0)
    for (long i = 0; go_on && i < n;) {
      const Dirent *d = (const Dirent *)(const void *)(list + i);
      if (d->name[0] != '.') go_on = each(d->name, with);
      i += d->size;
    }
  if (fd >= 0) syscall(SYS_close, fd);
  return go_on;
}

// Whether some other process has the file that this link names, or is a child that cannot be looked at.
typedef struct {
  const char *link, *process;
  bool any_child;  // a child is enough
} Search;

static bool is_child(const char *process) {
  char name[64], text[512];
  snprintf(name, sizeof name, "/proc/%.20s/stat", process);
  if (asleep_read(name, text, sizeof text) <= 0) return false;
  const char *behind = strrchr(text, ')');
  int parent = 0;
  return behind && sscanf(behind + 1, " %*c %d", &parent) == 1 && parent == (int)syscall(SYS_getpid);
}

static bool differs(const char *fd, void *with) {
  const Search *s = with;
  char name[80], link[80];
  snprintf(name, sizeof name, "/proc/%.20s/fd/%.20s", s->process, fd);
  return link_read(name, link, sizeof link) <= 0 || strcmp(link, s->link) != 0;
}

static bool lacks_it(const char *process, void *with) {
  Search *s = with;
  char name[64];
  int id = atoi(process);
  if (!id || id == (int)syscall(SYS_getpid)) return true;
  if (s->any_child) return !is_child(process);
  s->process = process;
  snprintf(name, sizeof name, "/proc/%d/fd", id);
  return asleep_list(name, differs, s) ||
         (syscall(SYS_faccessat, AT_FDCWD, name, R_OK) && !is_child(process));
}

static bool has_no_child(void) {
  return asleep_list("/proc", lacks_it, &(Search){.any_child = true});
}

// Made by socketpair, here; its other end may be known to a child only.
static bool is_own_pair(int fd) {
  struct ucred peer;
  int domain = 0;
  socklen_t size = sizeof peer, of_domain = sizeof domain;
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &of_domain) || domain != AF_UNIX) return false;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size)) return false;
  return peer.pid == (int)syscall(SYS_getpid) && has_no_child();
}

static bool is_own(int fd, int depth);

// An epoll descriptor names its targets: "tfd: 7 events: ...".
static bool has_own_targets(int fd, int depth) {
  char name[64], text[4096];
  snprintf(name, sizeof name, "/proc/self/fdinfo/%d", fd);
  if (asleep_read(name, text, sizeof text) <= 0 || strlen(text) == sizeof text - 1) return false;
  for (const char *p = text; (p = strstr(p, "tfd:")); ++p)
    if (!is_own((int)strtol(p + 4, NULL, 10), depth + 1)) return false;
  return true;
}

// Nobody outside this process can bring what fd waits for.
static bool is_own(int fd, int depth) {
  enum { DEEPEST = 3 };
  char name[64], link[80];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  if (fd < 0 || depth > DEEPEST || link_read(name, link, sizeof link) <= 0) return false;
  if (!strncmp(link, "pipe:", 5)) return asleep_list("/proc", lacks_it, &(Search){.link = link});
  if (!strncmp(link, "socket:", 7)) return is_own_pair(fd);
  if (!strcmp(link, "anon_inode:[eventfd]")) return has_no_child();
  return !strcmp(link, "anon_inode:[eventpoll]") && has_own_targets(fd, depth);
}

static bool polls_own(uintptr_t at, uint64_t count) {
  enum { MOST = 1024 };
  for (uint64_t i = 0; i < count; ++i) {
    struct pollfd one;
    if (i == MOST || !copy(&one, at + i * sizeof one, sizeof one)) return false;
    if (one.fd >= 0 && !is_own(one.fd, 0)) return false;
  }
  return true;
}

static bool selects_own(const unsigned long *a) {
  unsigned long n = a[0] < FD_SETSIZE ? a[0] : FD_SETSIZE;
  for (int set = 1; set <= 3; ++set) {
    fd_set all;
    FD_ZERO(&all);
    if (!a[set]) continue;
    if (!copy(&all, a[set], (n + 63) / 64 * 8)) return false;
    for (unsigned long fd = 0; fd < n; ++fd)
      if (FD_ISSET(fd, &all) && !is_own((int)fd, 0)) return false;
  }
  return true;
}

// Without the private flag it is one of this process all the same if its memory is.
static Asleep in_futex(const unsigned long *a) {
  unsigned long op = a[1] & FUTEX_CMD_MASK;
  bool waits =
      op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET || op == FUTEX_LOCK_PI || op == FUTEX_WAIT_REQUEUE_PI;
  if (!waits || !(a[1] & FUTEX_PRIVATE_FLAG || maps_private(a[0]))) return ASLEEP_OUTSIDE;
  return a[3] ? ASLEEP_NAPS : ASLEEP_INSIDE;
}

static Asleep for_files(bool own, bool until) {
  return !own ? ASLEEP_OUTSIDE : until ? ASLEEP_NAPS : ASLEEP_INSIDE;
}

static Asleep for_signal(bool until) {
  if (until) return ASLEEP_NAPS;
  bool sends = enf.schedule->version >= RT_ENFORCE_SENDS && enf.schedule->sends;
  return sends ? ASLEEP_INSIDE : ASLEEP_OUTSIDE;
}

// a: the arguments. The files may be looked for late: only where nobody else runs (deep).
static Asleep in_call(long call, const unsigned long *a, bool deep) {
  switch (call) {
    case SYS_futex:
      return in_futex(a);
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      return ASLEEP_NAPS;
    case SYS_pause:
    case SYS_rt_sigsuspend:
      return for_signal(false);
    case SYS_rt_sigtimedwait:
      return for_signal(a[2]);
    case SYS_poll:
      return for_files(!a[1] || (deep && polls_own(a[0], a[1])), (int)a[2] >= 0);
    case SYS_ppoll:
      return for_files(!a[1] || (deep && polls_own(a[0], a[1])), a[2]);
    case SYS_select:
    case SYS_pselect6:
      return for_files(!a[0] || (deep && selects_own(a)), a[4]);
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
      return for_files(deep && is_own((int)a[0], 0), (int)a[3] >= 0);
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_sendto:
    case SYS_sendmsg:
      return for_files(deep && is_own((int)a[0], 0), false);
    default:
      return ASLEEP_OUTSIDE;
  }
}

#define FIRST UINT64_C(14695981039346656037)

// Of what lies on its stack: it is the same each time where a loop does nothing but nap. Above the stack of a
// thread lies what libc and the kernel keep of it, which changes.
static uint64_t stack_of(uintptr_t sp, uintptr_t limit) {
  enum { MOST = 1024 };  // words
  uint64_t hash = FIRST, word;
  for (int i = 0; i < MOST; ++i) {
    uintptr_t at = sp + (uintptr_t)i * sizeof word;
    if ((limit > sp && at >= limit) || !copy(&word, at, sizeof word)) break;
    hash = asleep_mix(hash, word);
  }
  return hash;
}

// The file says `running`, or the number of the system call, its arguments, stack and place.
HIDDEN Asleep asleep_in(int tid, uintptr_t limit, bool deep, uint64_t *where, uint64_t *stack) {
  char name[64], text[256], *at = text;
  snprintf(name, sizeof name, "/proc/self/task/%d/syscall", tid);
  if (asleep_read(name, text, sizeof text) <= 0) return ASLEEP_OUTSIDE;
  if (!strncmp(text, "running", 7)) return ASLEEP_NOT;
  long call = strtol(text, &at, 10);
  if (call < 0) return ASLEEP_NOT;
  unsigned long a[7];
  for (int i = 0; i < 7; ++i) {
    char *end;
    a[i] = strtoul(at, &end, 0);
    if (end == at) return ASLEEP_OUTSIDE;
    at = end;
  }
  *where = asleep_mix(asleep_mix(*where, (uint64_t)tid), a[0]);
  Asleep how = in_call(call, a, deep);
  if (deep && how == ASLEEP_NAPS) *stack = asleep_mix(*stack, stack_of(a[6], limit));
  return how;
}

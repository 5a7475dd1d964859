// A process that catches signals may post a semaphore in a handler: it is left to the user, or to its time.
#include "hang.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "core/core.h"
#include "rt/rt.h"

enum { TICK = 50, GRACE = 1000 };  // milliseconds

struct Hang {
  char *runs;
  pid_t pid;
  int process;  // what signals go to: a number may belong to another meanwhile
  double seconds;
  pthread_t thread;
  bool started;
  pthread_mutex_t lock;
  pthread_cond_t over_changed;
  bool over;
  HangEnd end;
};

static const RtStand *map_waits(const char *path) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  void *p = MAP_FAILED;
  if (fd >= 0 && !fstat(fd, &st) && st.st_size >= (off_t)(RT_STANDS * sizeof(RtStand)))
    p = mmap(NULL, RT_STANDS * sizeof(RtStand), PROT_READ, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  return p == MAP_FAILED ? NULL : p;
}

// Of the process itself, not of its children. NULL: it is not there yet.
static const RtStand *find_waits(const Hang *h) {
  DIR *d = opendir(h->runs);
  char *prefix = mem_format("%ld-", (long)h->pid);
  const RtStand *found = NULL;
  for (struct dirent *e; d && !found && (e = readdir(d));) {
    if (strncmp(e->d_name, prefix, strlen(prefix))) continue;
    char *path = mem_format("%s/%s/waits", h->runs, e->d_name);
    found = map_waits(path);
    mem_free(path);
  }
  if (d) closedir(d);
  mem_free(prefix);
  return found;
}

// Beside those of which the recorder writes down that they end the process, and those of libc.
static bool catches_signals(pid_t pid) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, 32, 33, 34};
  char path[64], line[256];
  unsigned long long caught = ~0ull;
  snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
  FILE *f = fopen(path, "re");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "SigCgt:", 7)) caught = strtoull(line + 7, NULL, 16);
  if (f) fclose(f);
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) caught &= ~(1ull << (own[i] - 1));
  return caught != 0;
}

static bool waits_for_post(const RtStand *all) {
  for (uint32_t i = 0; i < RT_STANDS; ++i)
    if (stand_waits(&all[i]) && all[i].kind == RT_STAND_ACQUIRE) return true;
  return false;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// True: the run is over.
static bool pause_for(Hang *h, long milliseconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += milliseconds * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&h->lock);
  int e = 0;
  while (!h->over && !e) e = pthread_cond_timedwait(&h->over_changed, &h->lock, &until);
  bool over = h->over;
  pthread_mutex_unlock(&h->lock);
  return over;
}

static void send(const Hang *h, int sig) {
  if (h->process >= 0) pidfd_send_signal(h->process, sig, NULL, 0);
}

static void *look_on(void *p) {
  Hang *h = p;
  double begin = now();
  const RtStand *waits = NULL;
  RtStandLook look = {0};
  while (!pause_for(h, TICK) && h->end == HANG_NONE) {
    if (!waits) waits = find_waits(h);
    bool stands = waits && rt_stand_all(waits, RT_STANDS, h->pid, &look);
    if (stands && !(waits_for_post(waits) && catches_signals(h->pid))) h->end = HANG_STANDS;
    if (h->seconds > 0 && now() - begin >= h->seconds && h->end == HANG_NONE) h->end = HANG_TIMEOUT;
  }
  if (h->end == HANG_TIMEOUT) send(h, SIGTERM);
  if (h->end != HANG_NONE && (h->end == HANG_STANDS || !pause_for(h, GRACE))) send(h, SIGKILL);
  if (waits) munmap((void *)(uintptr_t)waits, RT_STANDS * sizeof(RtStand));
  return NULL;
}

Hang *hang_watch(const char *runs, pid_t pid, double seconds) {
  Hang *h = mem_alloc(sizeof *h);
  h->runs = mem_string(runs), h->pid = pid, h->process = pidfd_open(pid, 0), h->seconds = seconds;
  pthread_mutex_init(&h->lock, NULL);
  pthread_cond_init(&h->over_changed, NULL);
  h->started = !pthread_create(&h->thread, NULL, look_on, h);
  return h;
}

HangEnd hang_over(Hang *h) {
  pthread_mutex_lock(&h->lock);
  h->over = true;
  pthread_cond_signal(&h->over_changed);
  pthread_mutex_unlock(&h->lock);
  if (h->started) pthread_join(h->thread, NULL);
  HangEnd end = h->end;
  pthread_mutex_destroy(&h->lock), pthread_cond_destroy(&h->over_changed);
  if (h->process >= 0) close(h->process);
  mem_free(h->runs);
  mem_free(h);
  return end;
}

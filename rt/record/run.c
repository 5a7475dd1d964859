// The recorder's life: where it records, what happens at start, in a forked child, and at the end.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "rt/private_env.h"
#include "rec.h"

HIDDEN Recorder *rec;
HIDDEN RtThread rec_nobody[2];
HIDDEN _Thread_local RtThread *rec_self = &rec_nobody[0];

// Not wiped in a child: it needs them to start again.
static char base[448], name[64];
static uint64_t most;
static bool timed;
static uint32_t cells_most;

enum { LIVE_NEW, LIVE_ON, LIVE_FAILED };

HIDDEN void rec_why(RtWhy why, int error) {
  RtProcess *p = rec->process;
  if (!p) return;
  atomic_fetch_or(&p->why, (uint32_t)why);
  uint32_t none = 0;
  if (error) atomic_compare_exchange_strong(&p->error, &none, (uint32_t)error);
}

// 0700, but what root makes others must be able to add to: the program may change its user.
static int directory_make(const char *path) {
  if (mkdir(path, 0700)) return errno;
  return chmod(path, geteuid() ? 0700 : 01733) ? errno : 0;
}

// One that is there already must be ours, or root's who started us: in another's, what we write could be
// exchanged.
static int directory_check(const char *path) {
  struct stat st;
  if (stat(path, &st)) return errno;
  bool ours = st.st_uid == geteuid() || st.st_uid == 0;
  bool open = st.st_mode & S_IWOTH && !(st.st_mode & S_ISVTX);
  return !S_ISDIR(st.st_mode) ? ENOTDIR : !ours || open ? EPERM : 0;
}

static int process_directory(void) {
  int e = directory_make(base);
  if (e == EEXIST) e = directory_check(base);
  if (e) return e;
  unsigned n = 0;
  do {
    snprintf(name, sizeof name, "%ld-%u", (long)getpid(), n);
    snprintf(rec->directory, sizeof rec->directory, "%s/%s", base, name);
    e = directory_make(rec->directory);
  } while (e == EEXIST && ++n < 100000);
  return e;
}

static void process_fill(RtProcess *p, const char *from) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  p->version = RT_LOG_VERSION;
  p->pid = getpid();
  p->parent = getppid();
  p->started = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  memcpy(p->hash, rt_program.hash, sizeof p->hash);
  p->anchor = (uintptr_t)&rt_program;
  memcpy(p->from, from, sizeof p->from);
  handler_fence();
  memcpy(p->magic, "SPRP", sizeof p->magic);
}

// Makes the process's directory and what belongs to no thread. Needs *rec zero but for the lock.
static int recording_start(void) {
  char from[sizeof name];
  memcpy(from, name, sizeof from);
  rec->live = LIVE_FAILED;
  int e = process_directory();
  if (e) return e;
  rec->process = rec_map_new("process", RT_PROCESS_SIZE);
  if (!rec->process) return errno;
  process_fill(rec->process, from);
  thread_stands_make();
  rec->most = most;
  rec->timed = timed;
  rec->cells_most = cells_most;
  rec->live = LIVE_ON;
  return 0;
}

// Requires signals to be blocked. In a child only one thread has come over, but it may make others.
static bool forked_start(void) {
  rec_lock();
  bool on = rec->live == LIVE_ON || (rec->live == LIVE_NEW && recording_start() == 0);
  rec_unlock();
  return on;
}

HIDDEN RtThread *rec_enter_slow(void) {
  RtThread *t = rec_self;
  if (t->on) return delay(t), t;
  if (!rec || rec->live == LIVE_FAILED) return NULL;
  if (t->lent || rec_is_outside()) return NULL;
  if (t == &rec_nobody[1]) return rec_why(RT_WHY_LATE, 0), NULL;
  int saved = errno;
  sigset_t old;
  rec_block(&old);
  if (!forked_start()) {
    t = NULL;
  } else if (!t->on) {
    t = thread_new(t == &rec_nobody[0] ? NULL : t);
    if (t) thread_begin(t);
  }
  rec_unblock(&old);
  errno = saved;
  return t;
}

// The last thread has ended, and its end is recorded: with it the process ends.
static bool ends_with_last_thread(int status) {
  if (!rec || rec_self != &rec_nobody[1] || rec->live != LIVE_ON || rec->process->pid != getpid())
    return false;
  uint32_t unseen = RT_END_UNSEEN;
  if (atomic_compare_exchange_strong(&rec->process->end, &unseen, RT_END_EXIT)) rec->process->status = status;
  return true;
}

static void at_exit(int status, void *unused) {
  (void)unused;
  if (ends_with_last_thread(status)) return;
  RtThread *t = rec_enter();
  rec_end(t ? t->exit_site : RT_NO_SITE, status);
}

HIDDEN void rec_end(RtSite site, int status) {
  RtThread *t = rec_enter();
  if (!t || rec->process->pid != getpid()) return;  // a vfork child has our memory
  uint32_t unseen = RT_END_UNSEEN;
  if (!atomic_compare_exchange_strong(&rec->process->end, &unseen, RT_END_EXIT)) return;
  rec->process->status = status;
  log_append(t, (RtEntry){site, 0, (uint32_t)status, RT_END, RT_OK, 0});
}

// What `specialize record` wants goes before what the user's environment says.
static const char *wish(const char *from_command, const char *from_user) {
  const char *value = private_env_take(from_command);
  return value ? value : secure_getenv(from_user);
}

static bool where_to_record(void) {
  const char *dir = wish("SPECIALIZE_RECORD_DIR", "SPECIALIZE_DIR");
  const char *limit = wish("SPECIALIZE_RECORD_MAX_EVENTS", "SPECIALIZE_MAX_EVENTS");
  const char *order = wish("SPECIALIZE_RECORD_ORDER", "SPECIALIZE_ORDER");
  input_start();
  delay_start();
  if (!dir || !*dir) dir = rt_program.directory;
  if (!dir || !*dir || rt_program.version != RT_PROGRAM_VERSION) return false;
  size_t n = 0;
  if (*dir != '/' && getcwd(base, sizeof base)) {
    n = strlen(base);
    base[n++] = '/';
  }
  if (n + strlen(dir) >= sizeof base) return false;
  strcpy(base + n, dir);
  most = limit && *limit ? strtoull(limit, NULL, 10) : 0;
  if (!most) most = UINT64_MAX;
  timed = order && !strcmp(order, "total");
  return true;
}

// Without help from the kernel only fork itself is noticed, and only what leads to the rest is wiped.
static void child_wipe(void) {
  if (rec_self != &rec_nobody[0] && rec_self != &rec_nobody[1]) memset(rec_self, 0, sizeof *rec_self);
  memset(rec, 0, sizeof *rec);
}

// The recorder and, behind it, room for cells that is made accessible when it is needed.
static int memory_make(void) {
  void *p = MAP_FAILED;
  for (cells_most = 1 << 24; p == MAP_FAILED && cells_most >= 1 << 12; cells_most >>= 4)
    p = mmap(NULL, sizeof *rec + cells_most * sizeof(Cell), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return errno;
  cells_most <<= 4;
  if (mprotect(p, sizeof *rec, PROT_READ | PROT_WRITE)) return errno;
  if (madvise(p, sizeof *rec + cells_most * sizeof(Cell), MADV_WIPEONFORK) &&
      pthread_atfork(NULL, NULL, child_wipe))
    return errno;
  rec = p;
  return 0;
}

static void complain(int error) {
  char line[600];
  int n = snprintf(line, sizeof line, "specialize: cannot record in %s: %s\n", base, strerror(error));
  if (write(2, line, (size_t)n) < 0) return;
}

__attribute__((constructor(101))) static void start(int argc, char **argv) {
  if (!where_to_record()) return;
  int e = memory_make();
  if (!e) e = recording_start();
  if (!e) e = thread_key_make();
  if (e) {
    complain(e);
    return;
  }
  note_start(argc, argv);
  outside_start();
  on_exit(at_exit, NULL);
  crash_catch();
  rec_enter();
}

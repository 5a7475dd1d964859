// What happens to the process around the threads: forks, ends, crashes, limits, changed surroundings.
#include "harness.h"
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void bump(RtSite site) {
  ok(rt_rec_pthread_mutex_lock(site, &lock));
  ok(rt_rec_pthread_mutex_unlock(site + 1, &lock));
}
static void *bump_many(void *arg) {
  for (int i = 0; i < 100; ++i) bump(*(RtSite *)arg);
  return NULL;
}
static RtSite sites[] = {10, 20, 30};

// Of several recordings the one with a lock at that site.
static RtRecording *open_with(const char *dir, RtSite site, Order *o) {
  static char names[64][300];
  RtRecording *found = NULL;
  for (int i = 0, n = harness_list(dir, names); i < n; ++i) {
    const char *why;
    RtRecording *r = rt_recording_open(names[i], &why);
    assert(r);
    Order order = referee(r);
    assert(order.order == RT_ORDER_WHOLE);
    if (!found && order_find(&order, RT_LOCK, site, 0)) {
      found = r;
      *o = order;
      continue;
    }
    order_free(&order);
    rt_recording_close(r);
  }
  assert(found);
  return found;
}
static void done(RtRecording *r, Order *o) {
  order_free(o);
  rt_recording_close(r);
}

static void wait_for(pid_t pid, int status) {
  int got;
  assert(pid > 0 && waitpid(pid, &got, 0) == pid && got == status);
}

// Forked from a thread while another one goes on; with the hook, without it, and behind libc's back.
static void *fork_here(void *arg) {
  pthread_t t;
  ok(rt_rec_pthread_mutex_lock(1, &lock));
  pid_t pid = rt_rec_fork(2);
  ok(rt_rec_pthread_mutex_unlock(3, &lock));  // in both
  if (!pid) {
    bump(100);
    ok(rt_rec_pthread_create(4, &t, NULL, bump_many, &sites[1]));
    bump_many(&sites[1]);
    ok(rt_rec_pthread_join(5, t, NULL));
    rt_rec__exit(6, 7);
  }
  wait_for(pid, 7 << 8);
  if (!(pid = fork())) {
    bump(200);
    _exit(8);
  }
  wait_for(pid, 8 << 8);
  if (!(pid = (pid_t)syscall(SYS_fork))) {
    bump(300);
    if (!fork()) bump(400), _exit(0);
    wait(NULL);
    _exit(9);
  }
  wait_for(pid, 9 << 8);
  if (!(pid = fork())) _exit(10);  // records nothing
  wait_for(pid, 10 << 8);
  return arg;
}
static void run_fork(void) {
  pthread_t t[2];
  ok(rt_rec_pthread_create(50, &t[0], NULL, fork_here, NULL));
  ok(rt_rec_pthread_create(51, &t[1], NULL, bump_many, &sites[0]));
  for (int i = 0; i < 2; ++i) ok(rt_rec_pthread_join(52, t[i], NULL));
  bump(500);
}
static void check_fork(const char *dir, int status) {
  static char names[64][300];
  assert(status == 0 && harness_list(dir, names) == 5);
  Order o;
  RtRecording *r = open_with(dir, 500, &o);
  assert(order_find(&o, RT_FORK, 2, 0) && rt_recording_process(r)->from[0] == 0);
  int parent = rt_recording_process(r)->pid;
  assert(order_find(&o, RT_FORK, 2, 0)->entry.seq != 0);
  done(r, &o);
  for (RtSite site = 100; site <= 400; site += 100) {
    r = open_with(dir, site, &o);
    const RtProcess *p = rt_recording_process(r);
    assert(p->from[0] && (site == 400 || p->parent == parent) && p->why == 0);
    assert(!order_find(&o, RT_LOCK, 500, 0) && !order_find(&o, RT_LOCK, 10, 0));
    if (site == 100) assert(rt_recording_threads(r) == 2 && p->end == RT_END_EXIT && p->status == 7);
    done(r, &o);
  }
}

static void run_exec(void) {
  bump(1);
  extern char **environ;
  char *args[] = {"true", NULL};
  pid_t pid;
  ok(posix_spawn(&pid, "/bin/true", NULL, NULL, args, environ));
  wait_for(pid, 0);
  pid = vfork();
  if (!pid) rt_rec__exit(2, 3);
  wait_for(pid, 3 << 8);
  pid = vfork();
  if (!pid) {
    rt_rec_exec(3);
    execv("/bin/true", args);
    _exit(127);
  }
  wait_for(pid, 0);
  bump(4);
  rt_rec_exec(6);
  execv("/bin/true", args);
}
static void check_exec(const char *dir, int status) {
  assert(status == 0);
  RtRecording *r = harness_open(dir);
  Order o = referee(r);
  assert(o.order == RT_ORDER_WHOLE && rt_recording_process(r)->end == RT_END_UNSEEN);
  assert(o.at[o.count - 1].entry.op == RT_EXEC && o.at[o.count - 1].entry.site == 6);
  assert(order_count(&o, RT_EXEC, -1) == 1 && order_count(&o, RT_END, -1) == 0);
  done(r, &o);
}

// Crashes.
static void *write_null(void *arg) {
  bump(1);
  *(volatile int *)((uintptr_t)arg + 16) = 1;
  return NULL;
}
static void run_fault(void) {
  pthread_t t;
  ok(rt_rec_pthread_create(2, &t, NULL, write_null, NULL));
  rt_rec_pthread_join(3, t, NULL);
}
static volatile int endless = 1;
static int overflow(volatile char *p) {
  volatile char here[256];
  here[0] = here[1] = *p;
  return (endless ? overflow(here) : 0) + here[1];
}
static void run_overflow(void) {
  bump(1);
  char c = 0;
  exit(overflow(&c));
}
static void run_abort(void) {
  bump(1);
  abort();
}
static void run_sent(void) {
  bump(1);
  kill(getpid(), SIGSEGV);
  for (;;) pause();
}
static void run_terminated(void) {
  bump(1);
  raise(SIGTERM);
}
static void own_handler(int number) {
  _exit(number == SIGSEGV ? 40 : 41);
}
static void run_handled(void) {
  struct sigaction a = {.sa_handler = own_handler}, before;
  ok(sigaction(SIGSEGV, &a, &before));
  bump(1);
  int *volatile nowhere = (int *)8;  // not known to the compiler
  *(volatile int *)nowhere = 1;
}
static void check_crash(const char *dir, int status, int signal, uint32_t thread, uint64_t address) {
  assert(WIFSIGNALED(status) && WTERMSIG(status) == signal);
  RtRecording *r = harness_open(dir);
  Order o = referee(r);
  const RtProcess *p = rt_recording_process(r);
  assert(o.order == RT_ORDER_WHOLE && order_find(&o, RT_UNLOCK, 2, 0));
  assert(p->end == RT_END_SIGNAL && p->signal == (uint32_t)signal && p->thread == thread && p->pc);
  assert(!address || p->address == address);
  assert(p->frames > 0);
  done(r, &o);
}
static void check_fault(const char *dir, int status) {
  check_crash(dir, status, SIGSEGV, 1, 16);
}
static void check_overflow(const char *dir, int status) {
  check_crash(dir, status, SIGSEGV, 0, 0);
}
static void check_abort(const char *dir, int status) {
  check_crash(dir, status, SIGABRT, 0, 0);
}
static void check_sent(const char *dir, int status) {
  check_crash(dir, status, SIGSEGV, 0, 0);
}
static void check_terminated(const char *dir, int status) {
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  RtRecording *r = harness_open(dir);
  assert(rt_recording_process(r)->end == RT_END_UNSEEN);
  rt_recording_close(r);
}
static void check_handled(const char *dir, int status) {
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 40);
  RtRecording *r = harness_open(dir);
  assert(rt_recording_process(r)->signal == 0);
  rt_recording_close(r);
}

// Full disks. Locks in an order that no guess fits, so that the log grows.
static void fill_log(void) {
  static pthread_mutex_t many[4096];
  uint32_t x = 1;
  for (int i = 0; i < 200000; ++i) {
    x = x * 1664525u + 1013904223u;
    pthread_mutex_t *m = &many[x >> 20];
    ok(rt_rec_pthread_mutex_lock(x >> 8, m));
    ok(rt_rec_pthread_mutex_unlock(x >> 4, m));
  }
}
static void *fill_log_here(void *arg) {
  fill_log();
  return arg;
}
static void run_full(void) {
  pthread_t t;
  errno = 77;
  fill_log();
  assert(errno == 77);
  ok(rt_rec_pthread_create(1, &t, NULL, bump_many, &sites[0]));
  ok(rt_rec_pthread_join(2, t, NULL));
  ok(rt_rec_pthread_create(3, &t, NULL, fill_log_here, NULL));
  ok(rt_rec_pthread_join(4, t, NULL));
  exit(5);
}
static void limit_files(const char *dir) {
  (void)dir;
  struct rlimit limit = {40000, 40000};
  ok(setrlimit(RLIMIT_FSIZE, &limit));
}
static void check_incomplete(const char *dir, int status, uint32_t why) {
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
  RtRecording *r = harness_open(dir);
  Order o = referee(r);
  const RtProcess *p = rt_recording_process(r);
  assert((p->why & ~(uint32_t)RT_WHY_NOTES) == why && p->end == RT_END_EXIT && p->status == 5);
  assert(o.order != RT_ORDER_BROKEN && o.count > 1000);
  fprintf(stderr, "  %zu events before the end\n", o.count);
  done(r, &o);
}
static void check_limited(const char *dir, int status) {
  check_incomplete(dir, status, RT_WHY_FULL);
}

// A small disk of our own, where that is allowed.
static char small_disk[300];
static bool small_disk_mount(const char *dir) {
  snprintf(small_disk, sizeof small_disk, "%s/disk", dir);
  if (mkdir(small_disk, 0700)) return false;
  if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS)) return false;
  mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
  return mount("tmpfs", small_disk, "tmpfs", 0, "size=256k") == 0;
}
static void run_disk(void) {
  const char *dir = getenv("SPECIALIZE_DIR");
  if (getenv("NO_DISK") || !dir) exit(0);
  char disk[400];
  snprintf(disk, sizeof disk, "%s/disk", dir);
  if (!small_disk_mount(dir)) {
    fprintf(stderr, "  SKIPPED: no right to mount a small tmpfs\n");
    exit(0);
  }
  int status = harness_run("full", disk, NULL);
  check_incomplete(disk, status, RT_WHY_FULL);
  exit(0);
}
static void check_disk(const char *dir, int status) {
  (void)dir;
  assert(status == 0);
}

static void limit_events(const char *dir) {
  (void)dir;
  setenv("SPECIALIZE_MAX_EVENTS", "5000", 1);
}
static void check_limit(const char *dir, int status) {
  check_incomplete(dir, status, RT_WHY_LIMIT);
  RtRecording *r = harness_open(dir);
  uint64_t events = 0;
  for (size_t i = 0; i < rt_recording_threads(r); ++i) {
    RtCursor *c = rt_cursor_new(r, i);
    for (RtEntry e; rt_cursor_next(c, &e);) ++events;
    rt_cursor_free(c);
  }
  assert(events > 4000 && events <= 5000 + 3 * 126);
  rt_recording_close(r);
}

// Surroundings that change. The recording goes on.
static void run_elsewhere(void) {
  pthread_t t;
  ok(chdir("/"));
  umask(0777);
  for (int fd = 0; fd < 1000; ++fd) close(fd);
  if (geteuid() == 0) ok(setgid(65534) || setuid(65534));
  ok(rt_rec_pthread_create(1, &t, NULL, fill_log_here, NULL));
  ok(rt_rec_pthread_join(2, t, NULL));
  char *v = rt_rec_getenv(3, "SPECIALIZE_DIR");
  assert(v);
  assert(open("/dev/null", O_RDWR) == 0);  // nothing of ours took the first number
  exit(6);
}
static void close_all(const char *dir) {
  chmod(dir, 0711);
  for (int fd = 0; fd < 100; ++fd) close(fd);
}
static void check_elsewhere(const char *dir, int status) {
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 6);
  RtRecording *r = harness_open(dir);
  Order o = referee(r);
  assert(o.order == RT_ORDER_WHOLE && rt_recording_process(r)->why == 0 && o.count > 400000);
  bool noted = false;
  size_t at = 0;
  for (RtNoteText n; rt_recording_note(r, &at, &n);) noted |= n.kind == RT_NOTE_ENV;
  assert(noted);
  done(r, &o);
}

// Nowhere to record: said once, and the program runs.
static void run_nowhere(void) {
  bump(1);
  exit(9);
}
static void no_directory(const char *dir) {
  char path[400];
  snprintf(path, sizeof path, "%s/not/there", dir);
  setenv("SPECIALIZE_DIR", path, 1);
  close(2);
}
static void check_nowhere(const char *dir, int status) {
  static char names[64][300];
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 9 && harness_list(dir, names) == 0);
}

int main(int argc, char **argv) {
  static const Scenario all[] = {{"fork", run_fork, check_fork, NULL, false},
                                 {"exec", run_exec, check_exec, NULL, true},
                                 {"fault", run_fault, check_fault, NULL, false},
                                 {"overflow", run_overflow, check_overflow, NULL, false},
                                 {"abort", run_abort, check_abort, NULL, false},
                                 {"sent", run_sent, check_sent, NULL, false},
                                 {"terminated", run_terminated, check_terminated, NULL, false},
                                 {"handled", run_handled, check_handled, NULL, false},
                                 {"full", run_full, check_limited, limit_files, false},
                                 {"disk", run_disk, check_disk, NULL, false},
                                 {"limit", run_full, check_limit, limit_events, false},
                                 {"elsewhere", run_elsewhere, check_elsewhere, close_all, false},
                                 {"nowhere", run_nowhere, check_nowhere, no_directory, false},
                                 {NULL, NULL, NULL, NULL, false}};
  return harness_main(argc, argv, all);
}

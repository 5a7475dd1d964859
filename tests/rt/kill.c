// A program that does everything at once is killed at random moments, mostly by SIGKILL; the recording must
// be whole up to then. It keeps a log of its own in shared memory, under the locks that it is about. `rt_kill
// N`: N times.
#include "harness.h"
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

enum { LOCKS = 4, TRUTH = 1 << 18, WORKERS = 4, TAGS = 1 << 20 };

typedef struct {
  pthread_mutex_t mutex[LOCKS];
  uint32_t count[LOCKS];
  uint32_t order[LOCKS][TRUTH];
  _Atomic uint32_t tags, begun;
} Truth;
static Truth *truth;

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queued;
static sem_t tokens;
static pthread_barrier_t pair;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

static uint32_t step(uint32_t *x) {
  return (*x = *x * 1664525u + 1013904223u) >> 8;
}

static Truth *truth_map(const char *dir) {
  char path[400];
  snprintf(path, sizeof path, "%s/truth", dir);
  int fd = open(path, O_RDWR | O_CREAT, 0600);
  assert(fd >= 0 && ftruncate(fd, sizeof(Truth)) == 0);
  Truth *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  assert(t != MAP_FAILED);
  close(fd);
  return t;
}

static void lock_one(uint32_t tag, uint32_t *x) {
  uint32_t k = step(x) % LOCKS;
  if (step(x) % 4 == 0) {
    if (rt_rec_pthread_mutex_trylock(tag, &truth->mutex[k])) return;
  } else {
    ok(rt_rec_pthread_mutex_lock(tag, &truth->mutex[k]));
  }
  if (truth->count[k] == TRUTH) _exit(0);
  truth->order[k][truth->count[k]] = tag;
  __atomic_store_n(&truth->count[k], truth->count[k] + 1, __ATOMIC_RELEASE);
  ok(rt_rec_pthread_mutex_unlock(1, &truth->mutex[k]));
}

static void wait_one(uint32_t *x) {
  ok(rt_rec_pthread_mutex_lock(2, &queue_lock));
  if (step(x) % 2) {
    ++queued;
    ok(rt_rec_pthread_mutex_unlock(3, &queue_lock));
    ok(step(x) % 8 ? rt_rec_pthread_cond_signal(4, &changed) : rt_rec_pthread_cond_broadcast(5, &changed));
    return;
  }
  struct timespec soon = seconds_from_now(CLOCK_REALTIME, 0.0003);
  if (!queued) rt_rec_pthread_cond_timedwait(6, &changed, &queue_lock, &soon);
  if (queued) --queued;
  ok(rt_rec_pthread_mutex_unlock(7, &queue_lock));
}

static void *short_lived(void *arg) {
  uint32_t tag = 1000 + atomic_fetch_add(&truth->tags, 1), x = tag;
  lock_one(tag, &x);
  return arg;
}

static void anything(uint32_t tag, uint32_t *x) {
  rt_rec_call(8);
  lock_one(tag, x);
  rt_rec_ret(8);
  wait_one(x);
  if (step(x) % 2) {
    ok(rt_rec_sem_post(9, &tokens));
    rt_rec_sem_wait(10, &tokens);
  } else if (rt_rec_sem_trywait(11, &tokens) == 0) {
    ok(rt_rec_sem_post(12, &tokens));
  }
  int write = step(x) % 3 == 0;
  ok(write ? rt_rec_pthread_rwlock_wrlock(13, &table) : rt_rec_pthread_rwlock_rdlock(14, &table));
  ok(rt_rec_pthread_rwlock_unlock(15, &table));
  if (step(x) % 64 == 0) {
    pthread_t t;
    ok(rt_rec_pthread_create(16, &t, NULL, short_lived, NULL));
    ok(step(x) % 2 ? rt_rec_pthread_join(17, t, NULL) : rt_rec_pthread_detach(18, t));
  }
}

static void *work(void *arg) {
  uint32_t tag = 1000 + atomic_fetch_add(&truth->tags, 1), x = tag * 77;
  for (int i = 0;; ++i) {
    anything(tag, &x);
    if (arg && i % 16 == 0) rt_rec_pthread_barrier_wait(19, &pair);
    atomic_store(&truth->begun, 1);
  }
  return NULL;
}

static void run(void) {
  truth = truth_map(getenv("SPECIALIZE_DIR"));
  pthread_t t;
  for (int i = 0; i < LOCKS; ++i) ok(rt_rec_pthread_mutex_init(20, &truth->mutex[i], NULL));
  ok(rt_rec_sem_init(21, &tokens, 0, 1));
  ok(rt_rec_pthread_barrier_init(22, &pair, NULL, 2));
  for (int i = 1; i < WORKERS; ++i) ok(rt_rec_pthread_create(23, &t, NULL, work, i < 3 ? &t : NULL));
  work(NULL);
}

static void check(const char *dir, uint64_t *events, uint64_t *gaps, uint64_t *unsure) {
  RtRecording *r = harness_open(dir);
  Order o = referee(r);
  assert(o.order == RT_ORDER_WHOLE && rt_recording_process(r)->why == 0);
  uint32_t seen[LOCKS] = {0}, first = RT_NO_VALUE;
  for (size_t i = 0; i < o.count; ++i) {
    RtEntry e = o.at[i].entry;
    if (e.op == RT_INIT && e.site == 20 && first == RT_NO_VALUE) first = e.object;
    *unsure += rt_op_numbered(e.op) && e.extra == (RT_LOOSE | RT_UNSURE);
    if (e.op != RT_LOCK || e.site < 1000 || e.outcome != RT_OK) continue;
    uint32_t k = e.object - first;
    assert(k < LOCKS);
    if (seen[k] < truth->count[k]) assert(truth->order[k][seen[k]] == e.site);
    ++seen[k];
  }
  for (int k = 0; k < LOCKS; ++k) assert(seen[k] == truth->count[k] || seen[k] == truth->count[k] + 1);
  *events += o.count;
  *gaps += o.gaps;
  order_free(&o);
  rt_recording_close(r);
}

static void kill_one(uint32_t *x, uint64_t *events, uint64_t *gaps, uint64_t *unsure) {
  char *dir = harness_dir();
  truth = truth_map(dir);
  pid_t pid = fork();
  assert(pid >= 0);
  if (!pid) {
    setenv("SPECIALIZE_DIR", dir, 1);
    execl("/proc/self/exe", "kill", "run", (char *)NULL);
    _exit(127);
  }
  while (!atomic_load(&truth->begun)) sched_yield();
  struct timespec t = {0, step(x) % 4 ? (long)step(x) % 3000000 : (long)step(x) % 20000000};
  nanosleep(&t, NULL);
  static const int signals[] = {SIGKILL, SIGKILL, SIGKILL, SIGSEGV, SIGTERM};
  kill(pid, signals[step(x) % 5 * !SANITIZED]);
  int status;
  assert(waitpid(pid, &status, 0) == pid && (WIFSIGNALED(status) || WEXITSTATUS(status) == 0));
  check(dir, events, gaps, unsure);
  munmap(truth, sizeof *truth);
  harness_remove(dir);
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "run")) return run(), 0;
  int n = argc == 2 ? atoi(argv[1]) : SANITIZED ? 40 : 200;
  uint32_t x = (uint32_t)time(NULL);
  uint64_t events = 0, gaps = 0, unsure = 0;
  fprintf(stderr, "seed %u\n", x);
  for (int i = 0; i < n; ++i) kill_one(&x, &events, &gaps, &unsure);
  fprintf(stderr, "%d killed, %llu events, %llu numbers skipped, %llu refused attempts without a reason\n", n,
          (unsigned long long)events, (unsigned long long)gaps, (unsigned long long)unsure);
}

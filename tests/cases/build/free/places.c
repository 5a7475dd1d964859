/* Places where a run leaves its schedule, one a mode; recorded with mode 0. The output does not depend on the order
   of threads. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PLAIN, LOOP, DEEP, HOLDING, AT_BARRIER, AT_COND, AT_SEM, POINTER, EARLY, ENDS, RESTS, FORKS, JUMPS, ARRAY, RECURSES };
static int mode;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static sem_t go;
static long total, waiting, ready;

static void add(long n) {
  pthread_mutex_lock(&m);
  total += n;
  pthread_mutex_unlock(&m);
}
static void other(long n) {
  add(2 * n);
  add(1);
}
static void (*volatile how)(long) = add;

/* Two calls deep, with values of the callers that are needed behind the call. */
static long leaf(long a, long b) {
  long c = a * b;
  if (mode == DEEP && b == 7) other(c), c += 3;
  add(c);
  return c + a;
}
static long inner(long a) {
  long sum = 0;
  for (long b = 6; b < 8; ++b) sum += leaf(a, b) * b;
  return sum;
}
static long outer(long a) { return inner(a) + inner(a + 1); }

static void holding(void) {
  pthread_mutex_lock(&m);
  total += 5;
  if (mode == HOLDING) {
    pthread_mutex_lock(&m2);
    total += 100;
    pthread_mutex_unlock(&m2);
  }
  total += 1;
  pthread_mutex_unlock(&m);
}

static _Thread_local sigjmp_buf back;
static void jumps(long n) {
  add(n);
  if (mode == JUMPS) siglongjmp(back, 1);
  add(1);
}
static long returns_twice(long n) {
  long kept = n * 3;
  if (sigsetjmp(back, 0)) {
    add(kept);
    return kept;
  }
  jumps(n);
  return 1;
}
static long array(long n) {
  long all[n], sum = 0;
  for (long i = 0; i < n; ++i) all[i] = i * i;
  add(n);
  if (mode == ARRAY) {
    long more[n + 5];
    memcpy(more, all, sizeof all);
    add(more[n - 1]);
    for (long i = 0; i < n; ++i) all[i] += more[i];
  }
  for (long i = 0; i < n; ++i) sum += all[i];
  return sum;
}
static long recurses(long n) {
  add(n + 1);
  long below = n + (mode == RECURSES) > 1 && n ? recurses(n - 1) : 0;
  add(below & 3);
  return n + below;
}

static void *worker(void *p) {
  long n = (long)p;
  for (int i = 0; i < 3 + (mode == LOOP) * (int)n; ++i) add(i * n);
  if (mode == ENDS && n == 2) return p;
  add(outer(n));
  holding();
  if (mode == AT_BARRIER && n == 1) usleep(50000), other(n);
  pthread_barrier_wait(&both);
  if (mode == AT_BARRIER) add(3);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&m);
  ++waiting;
  pthread_cond_broadcast(&changed);
  while (!ready) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  sem_wait(&go);
  if (mode == AT_SEM && n == 1) other(n), sem_post(&go), sem_wait(&go);
  how(n);
  if (mode == EARLY && n == 1) pthread_exit(p);
  add(returns_twice(n) + array(n + 3) + recurses(2));
  return p;
}

/* Has nothing left to do in the schedule when the process ends, unless somebody leaves it. */
static void *rests(void *p) {
  add(1);
  for (;;) {
    pthread_mutex_lock(&m2);
    int now = mode == RESTS && ready == 2;
    pthread_mutex_unlock(&m2);
    if (now) break;
    usleep(1000);
  }
  puts("no rest");
  return p;
}

static void forks(void) {
  fflush(stdout);
  pid_t pid = fork();
  if (!pid) {
    if (mode == FORKS) other(1);
    add(1);
    _exit(mode == FORKS ? (int)total & 7 : 4);
  }
  int status;
  waitpid(pid, &status, 0);
  printf("child %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv) {
  mode = argc > 1 ? atoi(argv[1]) : 0;
  int ends = mode == ENDS;
  if (mode == POINTER) how = other;
  pthread_t t[2];
  pthread_barrier_init(&both, NULL, 2 - ends);
  sem_init(&go, 0, 0);
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, (void *)(i + 1));
  pthread_mutex_lock(&m);
  while (waiting < 2 - ends) pthread_cond_wait(&changed, &m);
  if (mode == AT_COND) {
    pthread_mutex_lock(&m2);
    total += waiting;
    pthread_mutex_unlock(&m2);
  }
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
  if (mode == AT_COND) other(4);
  usleep(mode == AT_SEM ? 50000 : 0);
  for (int i = 0; i < 2; ++i) sem_post(&go);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  forks();
  printf("mode %d total %ld\n", mode, total);
  if (argc > 2) return 0;
  pthread_t last;
  pthread_create(&last, NULL, rests, NULL);
  add(0);
  if (mode == RESTS) {
    pthread_mutex_lock(&m2);
    ready = 2;
    pthread_mutex_unlock(&m2);
    pthread_join(last, NULL);
  }
  return mode;
}

// What the recordings in corpus/recording are of: every kind of operation, calls, callbacks, ends of threads.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, tried = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t p;
static pthread_barrier_t b;
static sem_t s;
static int ready, n;

static void first(void) { ++n; }
static void handler(int sig) { n += sig; }
static int compare(const void *x, const void *y) {
  pthread_mutex_lock(&m), ++n, pthread_mutex_unlock(&m);
  return *(const int *)x - *(const int *)y;
}
static int deep(int d) {
  if (d) return deep(d - 1);
  pthread_mutex_lock(&m), ++n, pthread_mutex_unlock(&m);
  return n;
}
static void *worker(void *a) {
  struct timespec past = {0, 0};
  deep(3);
  pthread_once(&once, first);
  pthread_barrier_wait(&b);
  if (pthread_mutex_trylock(&tried) == 0) pthread_mutex_unlock(&tried);
  pthread_rwlock_rdlock(&r), pthread_rwlock_unlock(&r);
  pthread_spin_lock(&p), pthread_spin_unlock(&p);
  sem_timedwait(&s, &past);
  sem_wait(&s);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  if (a) pthread_exit(a);
  return a;
}
static int c11(void *a) {
  for (int i = 0; i < 40; ++i) deep(1);
  return a != NULL;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  thrd_t x;
  int v[] = {3, 1, 2};
  const char *how = argc > 1 ? argv[1] : "";
  signal(SIGUSR1, handler);
  pthread_spin_init(&p, 0), pthread_barrier_init(&b, 0, 2), sem_init(&s, 0, 1);
  if (getenv("ASKED")) ++n;
  pthread_create(&t[0], 0, worker, 0), pthread_create(&t[1], 0, worker, argv);
  thrd_create(&x, c11, 0);
  qsort(v, 3, sizeof *v, compare);
  raise(SIGUSR1);
  pthread_mutex_lock(&tried);
  for (int i = 0; i < 3; ++i) sem_post(&s);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&tried);
  pthread_rwlock_wrlock(&r), pthread_rwlock_unlock(&r);
  if (!strcmp(how, "exit")) exit(3);
  if (!strcmp(how, "abort")) abort();
  thrd_join(x, 0);
  if (!strcmp(how, "detach")) pthread_detach(t[0]); else pthread_join(t[0], 0);
  if (!strcmp(how, "cancel")) pthread_cancel(t[1]);
  if (!strcmp(how, "input")) n += getchar();
  pthread_join(t[1], 0);
  return n < 0;
}

// Waits without loops: a condition that is waited for once, and a barrier made of one, as Splash-3 has it. With an
// argument the run leaves its schedule while others wait.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

enum { THREADS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER, all = PTHREAD_COND_INITIALIZER;
static mtx_t c11;
static cnd_t c11_told;
static int value, c11_value, waiting, arrived, early, more;

static void barrier(void) {
  pthread_mutex_lock(&lock);
  if (++arrived == THREADS)
    arrived = 0, pthread_cond_broadcast(&all);
  else
    pthread_cond_wait(&all, &lock);
  pthread_mutex_unlock(&lock);
}

static void *waiter(void *arg) {
  pthread_mutex_lock(&lock);
  ++waiting;
  if (!value) pthread_cond_wait(&told, &lock);
  early += !value;
  pthread_mutex_unlock(&lock);
  barrier();
  mtx_lock(&c11);
  ++waiting;
  if (!c11_value) cnd_wait(&c11_told, &c11);
  early += !c11_value;
  mtx_unlock(&c11);
  return arg;
}

static int all_wait(int n) {
  pthread_mutex_lock(&lock);
  mtx_lock(&c11);
  int yes = waiting >= n;
  mtx_unlock(&c11);
  pthread_mutex_unlock(&lock);
  return yes;
}

static void leave(int step) {
  if (more != step) return;
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  usleep(100000);
}

int main(int argc, char **argv) {
  pthread_t t[THREADS - 1];
  more = argc > 1 ? atoi(argv[1]) : 0;
  mtx_init(&c11, mtx_plain), cnd_init(&c11_told);
  for (int i = 0; i < THREADS - 1; ++i) pthread_create(&t[i], NULL, waiter, NULL);
  usleep(50000);
  leave(1);
  while (!all_wait(THREADS - 1)) usleep(10000);
  pthread_mutex_lock(&lock);
  value = 42;
  pthread_cond_broadcast(&told);
  pthread_mutex_unlock(&lock);
  usleep(50000);
  leave(2);
  barrier();
  usleep(50000);
  leave(3);
  while (!all_wait(2 * (THREADS - 1))) usleep(10000);
  mtx_lock(&c11);
  c11_value = 1;
  cnd_signal(&c11_told), cnd_signal(&c11_told);
  mtx_unlock(&c11);
  for (int i = 0; i < THREADS - 1; ++i) pthread_join(t[i], NULL);
  printf("%d early\n", early);
  return early;
}

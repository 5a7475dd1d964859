// args:
#include <pthread.h>
#include <unistd.h>
static pthread_barrier_t all;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int left;
static void *work(void *p) {
  int leaves;
  pthread_mutex_lock(&m);
  leaves = left;
  pthread_mutex_unlock(&m);
#ifndef FIXED
  if (leaves) return p;
#endif
  (void)leaves;
  pthread_barrier_wait(&all);
  return p;
}
static void *stop(void *p) {
  usleep(50000);
  pthread_mutex_lock(&m);
  left = 1;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&all, 0, 2);
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], 0, i < 2 ? work : stop, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
}

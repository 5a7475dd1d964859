// A thread that a constructor made may be there when the point is reached.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *sleeper(void *arg) {
  for (;;) pause();
  return arg;
}
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  ++*(int *)arg;
  pthread_mutex_unlock(&m);
  return 0;
}
__attribute__((constructor)) static void start(void) {
  pthread_t t;
  if (getenv("CROWD")) pthread_create(&t, 0, sleeper, 0);
}
int main(void) {
  int n = 4;
  n += 1;
  pthread_t t;
  pthread_create(&t, 0, work, &n);
  pthread_join(t, 0);
  printf("%d\n", n);
  return 0;
}

// Makes a thread of its own and waits for it.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifndef TIMES
#define TIMES 1
#endif
static int steps;
static void *run(void *p) {
  (void)p;
  pthread_mutex_lock(&m);
  ++steps;
  pthread_mutex_unlock(&m);
  return 0;
}
int worker(int n) {
  pthread_t t;
  for (int i = 0; i < n * TIMES; ++i) {
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
  }
  return steps;
}

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void last(void) {
  pthread_mutex_lock(&m);
  puts("last");
  fflush(stdout);
  pthread_mutex_unlock(&m);
}
static void *worker(void *p) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  at_quick_exit(last);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  quick_exit(3);
}

// The waiting loop is not come by on all ways: it orders nothing behind them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic int flag;
int g, waited;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *p) {
  g = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t;
  int wait = atoi(argv[1]);
  pthread_create(&t, 0, worker, 0);
  if (wait) {
    while (!atomic_load_explicit(&flag, memory_order_acquire));
    waited = 1;
  }
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  g = 2;
  pthread_join(t, 0);
  return 0;
}

// What runs before main is before all threads. What runs at exit is behind main, if main does not leave others
// behind.
#include <pthread.h>
#include <stdlib.h>

int early, late;

__attribute__((constructor)) static void before(void) {
  early = 1;
}

static void after(void) {
  late++;
}

static void *worker(void *arg) {
  early++;
  late++;
  return arg;
}

int main(void) {
  pthread_t t;
  atexit(after);
  pthread_create(&t, NULL, worker, NULL);
#ifdef LINGERS
  pthread_exit(NULL);
#endif
  return pthread_join(t, NULL);
}

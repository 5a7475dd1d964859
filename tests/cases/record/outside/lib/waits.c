// Waits for a thread of its own while it is loaded, and again while it is unloaded.
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int steps;
static void *run(void *p) {
  pthread_mutex_lock(&m);
  ++steps;
  pthread_mutex_unlock(&m);
  sem_post(&done);
  return p;
}
static void work(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  sem_wait(&done);
  pthread_join(t, 0);
}
__attribute__((constructor)) static void begin(void) {
  sem_init(&done, 0, 0);
  work();
}
__attribute__((destructor)) static void end(void) {
  work();
}

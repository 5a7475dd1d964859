// args:
// A lock that is held until a thread has ended, and that this thread takes.
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  usleep(50000);
  pthread_mutex_lock(&a);
#ifdef FIXED
  pthread_mutex_unlock(&a);
#endif
  pthread_join(t, 0);
#ifndef FIXED
  pthread_mutex_unlock(&a);
#endif
}

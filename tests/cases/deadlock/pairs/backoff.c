// args:
#include <pthread.h>
#include <sched.h>
#include <time.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *x, pthread_mutex_t *y) {
#ifdef FIXED
  struct timespec soon;
  for (;;) {
    pthread_mutex_lock(x);
    if (!pthread_mutex_trylock(y)) break;
    clock_gettime(CLOCK_REALTIME, &soon);
    if (!pthread_mutex_timedlock(y, &soon)) break;
    pthread_mutex_unlock(x);
    sched_yield();
  }
#else
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
#endif
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}
static void *first(void *arg) {
  both(&a, &b);
  return arg;
}
static void *second(void *arg) {
  both(&b, &a);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}

// args:
// A lock around the others keeps one of the two out; not if only one takes it.
#include <pthread.h>
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *x, pthread_mutex_t *y) {
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}
static void *first(void *arg) {
  pthread_mutex_lock(&gate);
  both(&a, &b);
  pthread_mutex_unlock(&gate);
  return arg;
}
static void *second(void *arg) {
#ifdef FIXED
  pthread_mutex_lock(&gate);
#endif
  both(&b, &a);
#ifdef FIXED
  pthread_mutex_unlock(&gate);
#endif
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}

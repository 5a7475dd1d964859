// args:
// Readers of two locks never wait for each other; writers in between do.
#include <pthread.h>
static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
#ifdef FIXED
#define SECOND pthread_rwlock_rdlock
#else
#define SECOND pthread_rwlock_wrlock
#endif
static void *first(void *arg) {
  pthread_rwlock_rdlock(&a);
  SECOND(&b);
  pthread_rwlock_unlock(&b);
  pthread_rwlock_unlock(&a);
  return arg;
}
static void *second(void *arg) {
  pthread_rwlock_rdlock(&b);
  SECOND(&a);
  pthread_rwlock_unlock(&a);
  pthread_rwlock_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}

// args: join
// args: barrier
// What one does is over before the other begins; one thread alone takes them in both orders.
#include <pthread.h>
#include <string.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all;
static int waits;
static void both(pthread_mutex_t *x, pthread_mutex_t *y) {
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}
static void *first(void *arg) {
  both(&a, &b);
  if (waits) pthread_barrier_wait(&all);
#ifndef FIXED
  both(&a, &b);
#endif
  return arg;
}
static void *second(void *arg) {
  if (waits) pthread_barrier_wait(&all);
  both(&b, &a);
  both(&a, &b);
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t, u;
  int joined = 0;
  waits = argc > 1 && !strcmp(argv[1], "barrier");
  pthread_barrier_init(&all, 0, 2);
  pthread_create(&t, 0, first, 0);
#ifdef FIXED
  joined = !waits;
#endif
  if (joined) pthread_join(t, 0);
  pthread_create(&u, 0, second, 0);
  if (!joined) pthread_join(t, 0);
  pthread_join(u, 0);
}

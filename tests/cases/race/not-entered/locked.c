#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int g, other;
static void *f(void *x) {
  pthread_mutex_lock(&m);
  g++;
  pthread_mutex_unlock(&m);
  other = 2;
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  g = 5;
  pthread_mutex_unlock(&m);
  other = 1;
  return 0;
}

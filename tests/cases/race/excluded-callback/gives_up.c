// The comparator gives the lock up: what is behind qsort is not protected.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long count;
static int compare(const void *x, const void *y) {
  pthread_mutex_unlock(&m);
  return 0;
}
static void *first(void *p) {
  for (int i = 0; i < 200; ++i) {
    pthread_mutex_lock(&m);
    ++count;
    pthread_mutex_unlock(&m);
  }
  return p;
}
static void *second(void *p) {
  for (int i = 0; i < 200; ++i) {
    int k[2] = {2, 1};
    pthread_mutex_lock(&m);
    WAY
    ++count;
  }
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}

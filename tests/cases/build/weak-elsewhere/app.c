/* A weak function and variables that an object without bitcode defines anew. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum;
long common_one;
__attribute__((weak)) long limit = 5;

__attribute__((weak)) long step(long n) {
  if (n > 100) {
    pthread_mutex_lock(&m);
    sum += n;
    pthread_mutex_unlock(&m);
  }
  return 1;
}
__attribute__((weak)) long other(long n) {
  return n + 2;
}

static void *worker(void *p) {
  long n = step((long)p);
  pthread_mutex_lock(&m);
  sum += n + other(n);
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, (void *)3);
  pthread_join(t, NULL);
  printf("%ld %ld %ld\n", sum, limit, common_one);
  return 0;
}

// An index that another thread computed is too large by far.
// Expected: signal 11; crash 18; cause 11 12.
#include <pthread.h>
#include <stdio.h>
static int table[16];
static long where;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *choose(void *arg) {
  long n = (long)arg;
  pthread_mutex_lock(&lock);
  long far = n * n * n;
  where = far;
  pthread_mutex_unlock(&lock);
  return NULL;
}
static void put(long at) {
  for (int i = 0; i < 1; ++i)
    table[at] = 1;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, choose, (void *)100000L);
  pthread_join(t, NULL);
  put(where);
  printf("%d\n", table[0]);
  return 0;
}

// A recursion that ends at zero is begun below it.
// Expected: signal 11; crash 11; cause 15.
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int start;
static long down(int n) {
  volatile char room[4096];
  room[0] = (char)n;
  if (n == 0) return room[0];
  return down(n - 1) + 1;
}
static void *choose(void *arg) {
  pthread_mutex_lock(&lock);
  start = (int)(long)arg - 3;
  pthread_mutex_unlock(&lock);
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, choose, (void *)2L);
  pthread_join(t, NULL);
  printf("%ld\n", down(start));
  return 0;
}

// A mean of no values: the thread that counts skipped all of them.
// Expected: signal 8; crash 22; cause 10.
#include <pthread.h>
#include <stdio.h>
static int values[4] = {-1, -2, -3, -4};
static int count, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  count = 0;
  for (int i = 0; i < 4; ++i) {
    if (values[i] > 0) {
      total += values[i];
      count++;
    }
  }
  pthread_mutex_unlock(&lock);
  return arg;
}
static int mean(void) {
  int n = count;
  return total / n;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, add, NULL);
  pthread_join(t, NULL);
  printf("%d\n", mean());
  return 0;
}

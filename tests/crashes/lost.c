// One of two threads forgets the lock, and an update is lost.
// Expected: signal 6; crash 30; cause 12 19.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *careful(void *arg) {
  usleep(100000);
  pthread_mutex_lock(&lock);
  count = count + 1;
  pthread_mutex_unlock(&lock);
  return arg;
}
static void *hasty(void *arg) {
  int old = count;
  usleep(300000);
  count = old + 1;
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, careful, NULL);
  pthread_create(&t[1], NULL, hasty, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(t[i], NULL);
  printf("%d\n", count);
  fflush(stdout);
  assert(count == 2);
  return 0;
}

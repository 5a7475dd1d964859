// One of two threads forgets the lock, and updates are lost.
// Expected: signal 6; crash 28; cause 13 20.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
enum { ROUNDS = 20000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int count;
static void *careful(void *arg) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < ROUNDS; ++i)
    count = count + 1;
  pthread_mutex_unlock(&lock);
  return arg;
}
static void *hasty(void *arg) {
  int rounds = ROUNDS;
  for (int i = 0; i < rounds; ++i)
    count = count + 1;
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, careful, NULL);
  pthread_create(&t[1], NULL, hasty, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(count == 2 * ROUNDS);
  printf("%d\n", count);
  return 0;
}

// One of two threads forgets the lock: an update is lost. The lost write is overwritten, so no slice has it: it
// must be shown beside the write that lost it. Crash by assert.
// Expected lines: target 38; data 13 14 36; control 17 18 20 26 27 31 33 34.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long account[2] = {1000, 1000};

static void move_one(long from, long to) {
  account[from] -= 1;
  account[to] += 1;
}
static void *mover(void *arg) {
  long n = (long)arg;
  for (long i = 0; i < n; ++i) {
    pthread_mutex_lock(&lock);
    move_one(i % 2, 1 - i % 2);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}
static void *hasty(void *arg) {
  long n = (long)arg;
  for (long i = 0; i < n; ++i) move_one(i % 2, 1 - i % 2);
  return NULL;
}
int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 10;
  pthread_t t[2];
  pthread_create(&t[0], NULL, mover, (void *)n);
  pthread_create(&t[1], NULL, hasty, (void *)n);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  long sum = account[0] + account[1];
  printf("%ld + %ld = %ld\n", account[0], account[1], sum);
  assert(sum == 2000);
  return 0;
}

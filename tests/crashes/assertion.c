// A stack is popped more often than it was pushed.
// Expected: signal 6; crash 19; cause 15 25.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int depth, items[8];
static void push(int x) {
  pthread_mutex_lock(&lock);
  items[depth] = x;
  depth = depth + 1;
  pthread_mutex_unlock(&lock);
}
static int pop(void) {
  depth = depth - 1;
  return depth < 0 ? 0 : items[depth];
}
static void check(void) {
  assert(depth >= 0);
}
static void *worker(void *arg) {
  push((int)(long)arg);
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&lock);
    pop();
    check();
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, (void *)7L);
  pthread_join(t, NULL);
  printf("%d\n", depth);
  return 0;
}

// Store buffering: natively both may read 0, but that is never recorded.
#include "litmus.h"
static int a, b;
static atomic_int ready;
static void meet(void) {
  atomic_fetch_add(&ready, 1);
  while (atomic_load(&ready) < 2) continue;
}
THREAD(1, 0, meet(); store(x, 1, RELAXED); a = load(y, RELAXED))
THREAD(2, 0, meet(); store(y, 1, RELAXED); b = load(x, RELAXED))
THREAD(3, 0, (void)0)
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, thread1, NULL);
  pthread_create(&t[1], NULL, thread2, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d %d\n", a, b);
  (void)thread3, (void)data, (void)both;
  return 0;
}

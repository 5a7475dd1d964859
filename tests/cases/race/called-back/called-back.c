// One function, called back: named in one place, by a pointer that is kept in memory in another; and directly.
#include <pthread.h>
#include <stdlib.h>
static int calls, deepest, here[4] = {4, 3, 2, 1}, there[4] = {1, 2, 3, 4};
static int compare(const void *x, const void *y) {
  calls++;
  if (deepest) compare(y, x);
  return *(const int *)x - *(const int *)y;
}
static int (*volatile chosen)(const void *, const void *) = compare;
static void *worker(void *p) {
  qsort(here, 4, sizeof *here, compare);
  return NULL;
}
int main(void) {
  pthread_t t;
  compare(here, there);
  pthread_create(&t, NULL, worker, NULL);
  qsort(there, 4, sizeof *there, chosen);
  pthread_join(t, NULL);
  return 0;
}

// A comparator gives up by longjmp, out of qsort; a handler of its own cleans up, and the next try works. setjmp stands
// in a function of its own, where nothing is locked.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigjmp_buf give_up;
static int compared, most = 4, gave_up;

static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&lock);
  int n = ++compared;
  pthread_mutex_unlock(&lock);
  if (n == most) siglongjmp(give_up, n);
  return *(const int *)a - *(const int *)b;
}

static void sort(int *n, size_t count) {
  qsort(n, count, sizeof *n, compare);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

static int try_sort(int *n, size_t count) {
  int why = sigsetjmp(give_up, 1);
  if (why) return why;
  sort(n, count);
  return 0;
}

static void *worker(void *arg) {
  int n[] = {5, 3, 9, 1, 7};
  while (try_sort(n, 5)) {
    pthread_mutex_lock(&lock);
    most += 3;
    compared = 0;
    ++gave_up;
    pthread_mutex_unlock(&lock);
  }
  *(int *)arg = n[0] * 10 + n[4];
  return NULL;
}

int main(void) {
  pthread_t t;
  int ends = 0;
  pthread_create(&t, NULL, worker, &ends);
  pthread_join(t, NULL);
  printf("%d after %d\n", ends, gave_up);
  return 0;
}

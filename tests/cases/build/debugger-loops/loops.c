#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int table[16], sum;

static int count(int from, int limit) {
  int steps = 0, n = from;
  while (n != 1 && steps < limit) {
    int next = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
    table[steps & 15] = next;
    n = next;
  }
  pthread_mutex_lock(&m);
  sum += steps;
  pthread_mutex_unlock(&m);
  return steps;
}

static void *worker(void *arg) {
  printf("%d\n", count(*(int *)arg, 1000));
  return NULL;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  pthread_t t;
  pthread_create(&t, NULL, worker, &n);
  pthread_join(t, NULL);
  printf("%d\n", count(n + 1, 500) + table[0]);
  return 0;
}

// A race only if it reads a 7.
#include <pthread.h>
#include <stdio.h>

static int n, shared;

static void *worker(void *arg) {
  if (n == 7) shared++;
  return arg;
}

int main(void) {
  pthread_t t;
  if (scanf("%d", &n) != 1) return 3;
  pthread_create(&t, NULL, worker, NULL);
  if (n == 7) shared++;
  pthread_join(t, NULL);
  printf("out %d\n", n);
  return 0;
}

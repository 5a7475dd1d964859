/* Recorded where it ends by _Exit before any thread exists; other inputs return from main instead, with threads or none. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *worker(void *p) {
  return p;
}

int main(int argc, char **argv) {
  pthread_t t[4];
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (n == 3) puts("early"), fflush(stdout), _Exit(5);
  for (int i = 0; i < n; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < n; ++i) pthread_join(t[i], NULL);
  printf("%d\n", n);
  return 4;
}

// Three points in one block, and no other.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *arg) {
  ++*(int *)arg;
  return 0;
}
int main(int argc, char **argv) {
  struct {
    int a[40];
    double d;
  } s = {{0}, 0.5};
  int n = argc > 1 ? atoi(argv[1]) : 0;
  s.a[n] = 7;
  n *= 2;
  s.d += n;
  pthread_t t[4];
  for (int i = 0; i < (n > 4 ? 2 : 1); ++i) pthread_create(t + i, 0, work, &s.a[i]), pthread_join(t[i], 0);
  printf("%d %d %g %d\n", s.a[0], s.a[1], s.d, n);
  return 0;
}

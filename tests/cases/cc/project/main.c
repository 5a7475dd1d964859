#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "parts.h"
__attribute__((weak)) int from_lto(void) { return 0; }
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  queue_fill(n);
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, i ? right : left, 0);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  printf("%d %d\n", queue_sum(), low(shared(n)));
  fprintf(stderr, "lto part: %d\n", from_lto());
  return 0;
}

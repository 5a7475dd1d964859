/* stores that may or must not kill: conditional, by memset of so many bytes, by memcpy, by read, by an atomic, by strtol */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g, array[8], filled[8], copied[8], piped;
static _Atomic int counter;
static struct {
  char a;
  long b;
  short c;
} padded = {1, 2, 3}, other = {4, 5, 6};
static void *run(void *x) {
  pthread_mutex_lock(&m);
  g = 5;
  array[3] = 30;
  filled[5] = 50;
  copied[2] = 20;
  padded.b = 7;
  pthread_mutex_unlock(&m);
  return x;
}
int main(int argc, char **argv) {
  pthread_t t;
  int c = atoi(argv[1]), k = atoi(argv[2]), ends[2], one = 77;
  char *end = argv[0];
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  if (c) g = 7;
  memset(filled, 0, (size_t)k * sizeof *filled);
  int source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  memcpy(copied, source, (size_t)(k / 3) * sizeof *copied);
  padded.a = 9;
  memcpy(&padded, &other, 1);
  atomic_fetch_add(&counter, k);
  if (!pipe(ends) && write(ends[1], &one, sizeof one) == sizeof one && read(ends[0], &piped, sizeof piped) != sizeof piped) return 1;
  long number = strtol("12x", &end, 10);
  pthread_mutex_lock(&m);
  if (g == 7) puts("seven");
  if (filled[5]) puts("kept");
  if (copied[2] == 20) puts("not copied");
  if (counter == 6) puts("six");
  if (piped == 77) puts("read");
  if (*end == 'x') puts("stopped at x");
  printf("%d %d %d %d %d %ld %d %d %ld\n", g, array[3], filled[5], copied[2], padded.a, padded.b, padded.c, counter, number);
  pthread_mutex_unlock(&m);
  return 0;
}

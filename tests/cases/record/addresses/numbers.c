// Pointers as numbers, in some ways that decide and in some that do not.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static uintptr_t kept;
static void *worker(void *number) {
  int mine = (int)(long)number;  // a number all along
  pthread_mutex_lock(&m);
  n += mine * 3;
  pthread_mutex_unlock(&m);
  return NULL;
}
static unsigned hash(const void *p) { return (unsigned)((uintptr_t)p >> 4) % 7; }
static uintptr_t number_of(void *p) { return (uintptr_t)p; }
int main(int argc, char **argv) {
  char *p = malloc(argc > 2 ? (size_t)1 << 46 : 100), *q = p ? p + 10 : argv[0];
  pthread_t t[2];
  int more = 0;
  if (!strcmp(argv[1], "hash")) more = hash(p) == 3;
  if (!strcmp(argv[1], "returned")) more = number_of(p) == 3;
  if (!strcmp(argv[1], "stored")) kept = (uintptr_t)p, more = kept == 3;
  if (!strcmp(argv[1], "difference")) more = (q - p) * 7 % 3 == 5;
  if (!strcmp(argv[1], "aligned")) more = ((uintptr_t)p & 15) == 3;
  if (!strcmp(argv[1], "compared")) more = p > q;
  if (!strcmp(argv[1], "short")) more = !p;
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  if (more) pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
  printf("%d\n", n);
  free(p);
  return 0;
}

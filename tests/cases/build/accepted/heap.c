// The program has a malloc of its own, with a lock, and the C library calls it: for threads, printf and strdup.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char heap[16 << 20];
static size_t top;
static int total;

void *malloc(size_t n) {
  pthread_mutex_lock(&heap_lock);
  size_t *at = (size_t *)(void *)(heap + top);
  top += (n + 47) & ~(size_t)15;
  pthread_mutex_unlock(&heap_lock);
  if (top > sizeof heap) return errno = ENOMEM, NULL;
  *at = n;
  return at + 2;
}
void free(void *p) {
  pthread_mutex_lock(&heap_lock);
  if (p) ((size_t *)p)[-1] = 0;
  pthread_mutex_unlock(&heap_lock);
}
void *calloc(size_t n, size_t size) {
  void *p = malloc(n * size);
  return p ? memset(p, 0, n * size) : p;
}
void *realloc(void *old, size_t n) {
  void *p = malloc(n);
  size_t had = old ? ((size_t *)old)[-2] : 0;
  if (p && old) memcpy(p, old, had < n ? had : n);
  free(old);
  return p;
}

static void *worker(void *arg) {
  for (int i = 0; i < 4; ++i) {
    char *text = malloc(20);
    snprintf(text, 20, "%d", i);
    char *copy = strdup(text);
    pthread_mutex_lock(&lock);
    total += atoi(copy);
    pthread_mutex_unlock(&lock);
    free(text), free(copy);
  }
  return arg;
}

int main(void) {
  pthread_t t[3];
  char *said;
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  int n = asprintf(&said, "total %d", total);
  printf("%s (%d)\n", said, n);
  free(said);
  return 0;
}

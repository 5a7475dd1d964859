// locks THREADS PAIRS WORK SHARED: nothing but locking, the worst that can be recorded. WORK: rounds of arithmetic in
// each section. SHARED 1: all threads take one mutex, 0: each its own.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };
static struct {
  pthread_mutex_t m;
  unsigned long n;
} __attribute__((aligned(64))) slots[MOST];
static unsigned long pairs, work;
static int shared;

static void *run(void *p) {
  size_t self = shared ? 0 : (size_t)p;
  for (unsigned long i = 0; i < pairs; ++i) {
    pthread_mutex_lock(&slots[self].m);
    for (unsigned long k = 0; k <= work; ++k) slots[self].n = slots[self].n * 3 + k;
    pthread_mutex_unlock(&slots[self].m);
  }
  return p;
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  pthread_t t[MOST];
  size_t n = strtoul(argv[1], 0, 10) % MOST;
  pairs = strtoul(argv[2], 0, 10), work = strtoul(argv[3], 0, 10), shared = atoi(argv[4]);
  for (size_t i = 0; i < n; ++i) pthread_mutex_init(&slots[i].m, 0);
  for (size_t i = 0; i < n; ++i) pthread_create(&t[i], 0, run, (void *)i);
  for (size_t i = 0; i < n; ++i) pthread_join(t[i], 0);
  return printf("%lu\n", slots[0].n) < 0;
}

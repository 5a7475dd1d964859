// Calls of what could synchronize, but does not in the recorded run: as many of them as the data wants.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total, words;

static void report(long n) {
  pthread_mutex_lock(&lock);
  printf("%ld is too much\n", n);
  pthread_mutex_unlock(&lock);
}

static long step(long n) {
  if (n > 1000000) report(n);
  return n % 2 ? 3 * n + 1 : n / 2;
}

static long through(long (*f)(long), long n) {
  return f(n);
}

static void *work(void *arg) {
  long n = *(long *)arg, steps = 0;
  for (; n > 1; ++steps) n = steps % 3 ? step(n) : through(step, n);
  pthread_mutex_lock(&lock);
  total += steps;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(int argc, char **argv) {
  long n = atol(argv[1]);
  pthread_t t;
  pthread_create(&t, NULL, work, &n);
  for (int i = 2; i < argc; ++i) words += step(atol(argv[i]));
  pthread_join(t, NULL);
  printf("total %ld, words %ld\n", total, words);
  return 0;
}

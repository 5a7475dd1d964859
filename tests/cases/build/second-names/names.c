/* Functions and variables that have two names, or one that is only known at load: what is compiled apart from them must
 * still know that both are one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef VARIABLES
long sum = 1;
extern long total __attribute__((alias("sum")));
static long pair[2] = {3, 4};
extern long second[2] __attribute__((alias("pair")));
#else
static long sum = 1, total, pair[2] = {3, 4}, second[2];
#endif

__attribute__((weak)) void *worker(void *p) {
  pthread_mutex_lock(&m);
  sum += (long)p;
  total *= 2;
  sum += second[1];
  pair[1]++;
  sum += second[1];
  pthread_mutex_unlock(&m);
  return NULL;
}
void *other_worker(void *p) __attribute__((alias("worker")));
void *weak_worker(void *p) __attribute__((weak, alias("worker")));

static void add(long n) {
  pthread_mutex_lock(&m);
  sum += n;
  pthread_mutex_unlock(&m);
}
static void quiet(long n) {
  if (n > 8) add(n);
}
static void (*resolve(void))(long) {
  return add;
}
static void (*resolve_quiet(void))(long) {
  return quiet;
}
void late(long n) __attribute__((ifunc("resolve")));
static void late_quiet(long n) __attribute__((ifunc("resolve_quiet")));

int main(int argc, char **argv) {
  void *(*const routine[3])(void *) = {worker, other_worker, weak_worker};
  pthread_t t[3];
  long n = argc > 1 ? atol(argv[1]) : 1;
  for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, routine[i], (void *)n);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  late(n), late_quiet(n);
  pthread_mutex_lock(&m);
  sum = n;
  total += 2;
  printf("%ld %ld, one: %d\n", sum, total, worker == other_worker);
  pthread_mutex_unlock(&m);
  return 0;
}

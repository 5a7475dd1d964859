// The same lock by two ways, and at the end of a thread that leaves from within.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t flag = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static volatile long sum;
static jmp_buf back;

static void add(long n) {
  pthread_mutex_lock(&lock);
  sum += n;
  pthread_mutex_unlock(&lock);
}
static void one(void) {
  add(1);
}
static void two(void) {
  add(2);
}
static void at_end(void *p) {
  add((long)p);
}
static void first(void) {
  add(1000);
}
static void leaves(long n) {
  add(n);
  pthread_exit(NULL);
}
static void *worker(void *p) {
  pthread_setspecific(key, p);
  pthread_once(&flag, first);
  leaves((long)p);
  return NULL;
}
static int compare(const void *a, const void *b) {
  add(1);
  return *(const int *)a - *(const int *)b;
}
static void jumps(void) {
  add(5);
  longjmp(back, 1);
}
static void handler(int n) {
  (void)n;
  ++sum;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  int some[4] = {3, 1, 2, 0};
  (void)argc;
  pthread_key_create(&key, at_end);
  signal(SIGUSR1, handler);
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, (void *)(i + 10));
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  raise(SIGUSR1);
#ifdef JUMPS
  if (!setjmp(back)) jumps();
#else
  if (sum < 0) jumps();
#endif
  qsort(some, 4, sizeof *some, compare);
  if (*argv[1] == '1')
    one();
  else
    two();
  printf("%ld\n", sum);
}

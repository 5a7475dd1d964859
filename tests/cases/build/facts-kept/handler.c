#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, seen = 1;
static void on(int s) { (void)s; seen = 7; }
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
int main(void) {
  pthread_t t;
  signal(SIGUSR1, on);
  seen = 2;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  raise(SIGUSR1);
  pthread_mutex_lock(&m);
  printf("n %d seen %d\n", n, seen);
  if (seen == 7) puts("written by the handler");
  pthread_mutex_unlock(&m);
  return 0;
}

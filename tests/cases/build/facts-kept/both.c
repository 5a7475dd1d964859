/* two guards that say the same: one may go, never both */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
int main(int argc, char **argv) {
  pthread_t t;
  int p = atoi(argv[1]);
  if (p > 5) pthread_mutex_lock(&m), n += 10, pthread_mutex_unlock(&m);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  if (p >= 6) pthread_mutex_lock(&m), n += 100, pthread_mutex_unlock(&m);
  if (p != 5 && p > 4) pthread_mutex_lock(&m), n += 1000, pthread_mutex_unlock(&m);
  printf("%d\n", n);
  return 0;
}

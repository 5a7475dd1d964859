#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, extra;
static void add(int n) {
  pthread_mutex_lock(&m);
  sum += n;
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  int n = *(int *)arg;
  if (n > 2)
    add(n);
  else
    extra = n;
  return 0;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  if (n > 9) exit(1);
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&t[i], 0, work, &n);
    pthread_join(t[i], 0);
  }
  printf("%d %d\n", sum, extra);
  return 0;
}

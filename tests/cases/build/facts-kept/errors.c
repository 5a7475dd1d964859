/* errno is written by calls that do not say so */
#include <errno.h>
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
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  errno = 0;
  long x = strtol(argv[1], 0, 10);
  if (errno == ERANGE) {
    puts("out of range");
    return 1;
  }
  printf("%d %ld\n", n, x);
  return 0;
}

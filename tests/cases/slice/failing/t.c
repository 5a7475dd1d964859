#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;
static void *clear(void *p) {
  pthread_mutex_lock(&m);
  shared = NULL;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  pthread_create(&t, NULL, clear, NULL);
  pthread_join(t, NULL);
  puts("before");
  fflush(stdout);
  *shared = 3;
  return 0;
}

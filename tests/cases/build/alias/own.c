// Memory that one thread alone uses, though another made it, needs no second look behind an operation.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *worker(void *arg) {
  long *own = arg;
  own[3] = 5;
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_lock(&lock);
    sum += own[3];
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i)
    if (pthread_create(&t[i], NULL, worker, malloc(8 * sizeof(long)))) return 2;
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%ld\n", sum + argc + !argv);
  return 0;
}

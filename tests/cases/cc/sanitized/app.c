// With six arguments it reads what it has freed.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n, names[] = {1, 2};

static void *worker(void *arg) {
  int *own = malloc(8);
  own[1] = names[arg != NULL];
  pthread_mutex_lock(&lock);
  n += own[1];
  pthread_mutex_unlock(&lock);
  free(own);
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, i ? argv : NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  int *gone = malloc(4);
  free(gone);
  if (argc > 6) n = *gone;
  printf("%d\n", n);
  return 0;
}

// A function with events that is reached through a pointer: it keeps its name for people.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, rounds;

static void *work(void *arg) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&lock);
    total += *(int *)arg;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void launch(pthread_t *t, void *(*routine)(void *), void *arg) {
  pthread_create(t, NULL, routine, arg);
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  rounds = atoi(argv[2]);
  pthread_t t;
  launch(&t, work, &n);
  pthread_join(t, NULL);
  void *(*volatile again)(void *) = work;
  if (argc > 3) again(&n);
  printf("total %d\n", total);
  return 0;
}

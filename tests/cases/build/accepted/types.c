// What initializers make: recursive, error-checking and adaptive locks.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static int n, refused;

static void *worker(void *arg) {
  for (int i = 0; i < 3; ++i) pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&checking);
  refused += pthread_mutex_lock(&checking) != 0;
  pthread_mutex_lock(&adaptive);
  ++n;
  pthread_mutex_unlock(&adaptive);
  pthread_mutex_unlock(&checking);
  refused += pthread_mutex_unlock(&checking) != 0;
  for (int i = 0; i < 3; ++i) pthread_mutex_unlock(&recursive);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d %d\n", n, refused);
  return 0;
}

// How far the counters of threads are apart comes from the environment; nobody minds that it may be 0.
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, FARTHEST = 64 };
static int count[THREADS * FARTHEST], apart;

static void *worker(void *arg) {
  long id = (long)arg;
  count[id * apart]++;
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  const char *text = getenv("APART");
  if (!text) return 2;
  apart = atoi(text);
  if (apart < 0 || apart > FARTHEST) return 2;
  for (long i = 0; i < THREADS; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(t[i], NULL);
  return 0;
}

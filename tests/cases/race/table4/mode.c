// One way of working shares a total; the recorded run took another.
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2 };
static int mode, total, own[THREADS];

static void *worker(void *arg) {
  long id = (long)arg;
  own[id]++;
  if (mode > 3) total++;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[THREADS];
  mode = argc > 1 ? atoi(argv[1]) : 0;
  for (long i = 0; i < THREADS; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(t[i], NULL);
  return own[0] != 1;
}

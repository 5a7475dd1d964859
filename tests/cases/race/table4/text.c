// The rows of radix.c, but keys are characters of a text.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, RADIX = 128 };
static int count[(THREADS + 1) * RADIX];
static unsigned char key[THREADS];

static void *worker(void *arg) {
  long id = (long)arg;
  count[id * RADIX + key[id]]++;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[THREADS];
  if (argc < 2 || strlen(argv[1]) < THREADS) return 2;
  memcpy(key, argv[1], THREADS);
  for (long i = 0; i < THREADS; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(t[i], NULL);
  return 0;
}

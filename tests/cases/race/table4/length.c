// What a function returns is taken for a length, unchecked: too long a field runs into that of the next thread.
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, FIELD = 16 };
static char out[(THREADS + 1) * FIELD];
static int wanted;

static int length(void) {
  return wanted > 2 * FIELD ? -1 : wanted;
}

static void *worker(void *arg) {
  int len = length();
  char *field = out + (long)arg * FIELD;
  for (int i = 0; i < len; ++i) field[i] = 'x';
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[THREADS];
  wanted = argc > 1 ? atoi(argv[1]) : 0;
  for (long i = 0; i < THREADS; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(t[i], NULL);
  return out[0] != (wanted > 0 ? 'x' : 0);
}

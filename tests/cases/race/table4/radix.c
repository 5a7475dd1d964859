// Each thread counts a key in a row of its own; a key that is not below the radix counts in the next row.
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, RADIX = 16 };
static int count[(THREADS + 1) * RADIX], key[THREADS];

static void *worker(void *arg) {
  long id = (long)arg;
  count[id * RADIX + key[id]]++;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[THREADS];
  if (argc != 3) return 2;
  key[0] = atoi(argv[1]), key[1] = atoi(argv[2]);
  if (key[0] < 0 || key[1] < 0 || key[0] > 2 * RADIX || key[1] > RADIX) return 2;
  for (long i = 0; i < THREADS; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; ++i) pthread_join(t[i], NULL);
  return 0;
}

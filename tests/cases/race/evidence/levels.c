// One pair of each level. With a 1 the main thread writes where the other one writes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int meets, spun, handed, apart[2], asleep, woken;
static atomic_int go, ticket;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *block, sure;

static void *worker(void *arg) {
  int n = *(int *)arg;
  meets++;
  block[1] = n;
  apart[n & 1] = 1;
  if (n == 77) asleep++;
  if (n == 78) woken++;
  pthread_mutex_lock(&lock);
  sure++;
  pthread_mutex_unlock(&lock);
  spun = 1;
  atomic_store(&go, 1);
  handed = 1;
  atomic_fetch_add(&ticket, 3);
  return NULL;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  pthread_t t;
  block = calloc(4, sizeof *block);
  pthread_create(&t, NULL, worker, &n);
  meets++;
  block[1] = 3;
  apart[(n >> 1) & 1] = 2;
  asleep++;
  if (n == 79) woken++;
  pthread_mutex_lock(&lock);
  sure++;
  pthread_mutex_unlock(&lock);
  while (!atomic_load(&go))
    ;
  spun++;
  while (atomic_fetch_xor(&ticket, 0) % 2 == 0)
    ;
  handed++;
  pthread_join(t, NULL);
  free(block);
  return sure - 2;
}

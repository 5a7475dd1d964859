// The worker frees a block, and main allocates another of the same size: at the same address, if nobody prevents it. Which
// slot is which nobody can know before.
#include <pthread.h>
#include <stdlib.h>

enum { SIZE = 100000 };
static volatile int table[2] = {0, 1};
static char *slot[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  char *mine = slot[table[0]];
  pthread_mutex_unlock(&lock);
  mine[5]++;
  free(mine);
  return arg;
}

int main(void) {
  pthread_t t;
  slot[table[0]] = calloc(1, SIZE);
  char *behind = malloc(SIZE);
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  char *other = malloc(SIZE);
  slot[table[1]] = other;
  other[5] = 1;
  pthread_join(t, NULL);
  free(behind);
  free(slot[table[1]]);
  return 0;
}

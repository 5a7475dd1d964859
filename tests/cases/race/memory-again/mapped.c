// The same with maps: the worker gives its pages back, and main maps others of the same size.
#include <pthread.h>
#include <sys/mman.h>

enum { SIZE = 1 << 16 };
static volatile int table[2] = {0, 1};
static char *slot[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static char *pages(void) {
  return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  char *mine = slot[table[0]];
  pthread_mutex_unlock(&lock);
  mine[5]++;
  munmap(mine, SIZE);
  return arg;
}

int main(void) {
  pthread_t t;
  slot[table[0]] = pages();
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  char *other = pages();
  slot[table[1]] = other;
  other[5] = 1;
  pthread_join(t, NULL);
  return 0;
}

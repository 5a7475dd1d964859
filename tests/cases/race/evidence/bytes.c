// The second byte is written while the first one is read, and read when that is over: which is which nobody can know before.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static volatile int table[2] = {0, 1};
static int published;
static char bytes[8];

__attribute__((noinline)) static void put(int i) {
  bytes[i] = 1;
}
__attribute__((noinline)) static int get(int i) {
  return bytes[i];
}

static void *worker(void *arg) {
  put(table[0]);
  pthread_mutex_lock(&lock);
  published = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  put(table[1]);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  while (!published) pthread_cond_wait(&ready, &lock);
  pthread_mutex_unlock(&lock);
  int sum = get(table[0]);
  pthread_join(t, NULL);
  return sum + get(table[1]) - 2;
}

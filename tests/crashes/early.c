// A flag is set before what it announces; the other thread is faster.
// Expected: signal 11; crash 20; cause 16.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct config { int limit; };
static struct config settings = {7};
static struct config *volatile config;
static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *load(void *arg) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
  usleep(500000);
  config = &settings;
  return arg;
}
static int limit(void) {
  return config->limit;
}
int main(void) {
  pthread_t t;
  int go = 0;
  pthread_create(&t, NULL, load, NULL);
  while (!go) {
    pthread_mutex_lock(&lock);
    go = ready;
    pthread_mutex_unlock(&lock);
    usleep(10000);
  }
  printf("%d\n", limit());
  pthread_join(t, NULL);
  return 0;
}

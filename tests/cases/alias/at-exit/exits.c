#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int both;
static void after(void) {
  both++;
}
static void *worker(void *arg) {
  exit(0);
  return arg;
}
int main(void) {
  pthread_t t;
  atexit(after);
  pthread_create(&t, 0, worker, 0);
  both++;
  pthread_join(t, 0);
  return 0;
}

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
int g;
static void *f(void *p) {
  for (int i = 0; i < 100; i++) {
    g++;
    usleep(1000);
  }
  return p;
}
static void put(void) {
  g = 0;
}
static void end(void) {
  put();
}
int main() {
  atexit(end);
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_detach(t);
  usleep(5000);
  return 0;
}

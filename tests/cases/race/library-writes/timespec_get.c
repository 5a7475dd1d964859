#include <pthread.h>
#include <time.h>
static struct timespec at;
static void *run(void *p) {
  timespec_get(&at, TIME_UTC); // R
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  at.tv_sec = 3; // R
  pthread_join(t, 0);
  return 0;
}

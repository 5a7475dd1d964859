#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static __attribute__((noinline)) void locked(void) {
  pthread_mutex_lock(&m);
  ++x;
  pthread_mutex_unlock(&m);
}
__attribute__((destructor)) static void leave(void) {
  locked();
  printf("%d\n", x);
}
__attribute__((destructor(200))) static void leave_later(void) {
  locked();
  printf("%d\n", x);
}
static void *run(void *p) {
  locked();
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  locked();
  pthread_join(t, 0);
  return 0;
}

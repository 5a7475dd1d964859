#include <pthread.h>
static int count;
static void *run(void *p) {
  ++count;
  return p;
}
__attribute__((destructor)) static void end(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  ++count;
  pthread_join(t, 0);
}
int main(void) {
  return 0;
}

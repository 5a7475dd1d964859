#include <pthread.h>
static int count;
static pthread_t t;
static void *run(void *p) {
  ++count;
  return p;
}
__attribute__((constructor)) static void begin(void) {
  pthread_create(&t, 0, run, 0);
}
int main(void) {
  ++count;
  pthread_join(t, 0);
  return 0;
}

#include <pthread.h>
int g;
static void *f(void *x) { return (void *)(long)g; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  g = 5;
  return 0;
}

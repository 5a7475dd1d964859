#include "expect.h"

#include <pthread.h>
pthread_key_t key;
int g;
static void destroy(void *p) { expect(p, "g"); }
int main(void) {
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, &g);
  expect(pthread_getspecific(key), "g");
}

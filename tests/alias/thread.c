#include "expect.h"

#include <pthread.h>
int g, h;
static void *worker(void *arg) {
  expect(arg, "g");
  return &h;
}
static void *ends(void *arg) { pthread_exit(&g); }
int main(void) {
  pthread_t t, u;
  void *r;
  pthread_create(&t, 0, worker, &g);
  pthread_create(&u, 0, ends, 0);
  pthread_join(t, &r);
  expect(r, "g h");
}

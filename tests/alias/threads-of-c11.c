#include "expect.h"

#include <threads.h>
int g;
static int worker(void *arg) {
  expect(arg, "g");
  return 0;
}
int main(void) {
  thrd_t t;
  thrd_create(&t, worker, &g);
}

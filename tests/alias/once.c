#include "expect.h"

#include <pthread.h>
int *p, g;
static pthread_once_t flag = PTHREAD_ONCE_INIT;
static void init(void) { p = &g; }
int main(void) {
  pthread_once(&flag, init);
  expect(p, "g");
}

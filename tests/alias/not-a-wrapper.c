#include "expect.h"

#include <stdlib.h>
static void *pool;
static void *get(void) {
  if (!pool) pool = malloc(8);
  return pool;
}
int main(void) {
  void *p = get(), *q = get();
  expect(p, "new:6:21");
  expect(q, "new:6:21");
}

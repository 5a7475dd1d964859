#include "expect.h"

#include <stdlib.h>
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}
int g, h;
int main(void) {
  int **p = xmalloc(8), **q = xmalloc(8);
  *p = &g;
  *q = &h;
  expect(p, "new:11:13");
  expect(*p, "g");
  expect(*q, "h");
}

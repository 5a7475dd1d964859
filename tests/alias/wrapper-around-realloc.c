#include "expect.h"
#include <stdlib.h>
static void *xrealloc(void *p, size_t n) {
  void *old = p;
  p = realloc(p, n);
  if (!p) {
    free(old);
    abort();
  }
  return p;
}
int g;
int main(int argc, char **argv) {
  int **p = xrealloc(0, 8);
  *p = &g;
  int **q = xrealloc(p, 16);
  expect(p, "new:14:13");
  expect(q, "new:16:13");
  expect(*q, "g");
}

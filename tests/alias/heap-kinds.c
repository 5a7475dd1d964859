#include "expect.h"

#include <stdlib.h>
#include <string.h>
int main(void) {
  void *a = calloc(2, 8), *b = aligned_alloc(64, 64), *c;
  char *s = strdup("x");
  posix_memalign(&c, 64, 64);
  expect(a, "new:6:13");
  expect(b, "new:6:32");
  expect(c, "new:8:3");
  expect(s, "new:7:13");
}

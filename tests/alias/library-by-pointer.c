#include "expect.h"

#include <stdlib.h>
#include <string.h>
int *g[2], *h[2], k;
int main(void) {
  void *(*copy)(void *, const void *, size_t) = memcpy;
  void *(*make)(size_t) = malloc;
  g[1] = &k;
  copy(h, g, sizeof g);
  expect(h[1], "k");
  expect(make(3), "new:malloc");
}

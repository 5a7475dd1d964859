#include "expect.h"

#include <stdlib.h>
static void *xmalloc(size_t n) { return malloc(n); }
void *(*alloc)(size_t) = xmalloc;
int main(void) {
  void *p = xmalloc(8), *q = alloc(8);
  expect(p, "new:7:13");
  expect(q, "new:4:41 new:7:13");
}

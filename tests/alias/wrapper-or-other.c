#include "expect.h"

// Memory of its own for each call, even if the program may be given another allocator.
#include <stdlib.h>
static void *(*given)(size_t);
static char pool[64];
static void *from_pool(size_t n) {
  return n < 64 ? pool : 0;
}
static void *get(size_t n) {
  return given ? given(n) : malloc(n);
}
static void *get_more(size_t n) {
  void *p = n ? get(n) : 0;
  return p;
}
int main(int argc, char **argv) {
  if (argc > 1) given = from_pool;
  void *p = get(8), *q = get_more(8);
  expect(p, "new:19:13 pool");
  expect(q, "new:19:26 pool");
}

#include "expect.h"

struct S { int *p; } seen, hidden;
int g, h;
struct S *library(struct S *s);
int main(void) {
  seen.p = &g;
  hidden.p = &h;
  struct S *r = library(&seen);
  expect(r, "?");
  expect(seen.p, "?");  // which stands for g, and for what the library put there
  expect(hidden.p, "h");
  expect_escaped(&g);
  expect_private(&h);
}

#include "expect.h"

union U { int *p; long n; struct { int lo, hi; } half; } u;
int g;
int main(void) {
  u.p = &g;
  expect(u.p, "g");
  expect((int *)u.n, "g");
}

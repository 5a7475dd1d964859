#include "expect.h"

struct S { char c; int *p; short s; int *q; } a, b;
int g, h;
int main(void) {
  a.p = &g;
  a.q = &h;
  b = a;
  expect(b.p, "g");
  expect(b.q, "h");
  expect(&a.q, "a+24");
}

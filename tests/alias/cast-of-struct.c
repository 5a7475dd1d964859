#include "expect.h"

struct A { int *p; long n; };
struct B { long m; int *q; };
struct A a;
int g;
int main(void) {
  struct B *b = (struct B *)&a;
  b->q = &g;
  expect((int *)a.n, "g");
  expect(a.p, "");
}

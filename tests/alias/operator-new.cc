#include "expect.h"

struct S { int *p; S(int *q) : p(q) {} };
int g, h;
int main() {
  S *a = new S(&g);
  S *b = new S[2]{S(&h), S(&h)};
  expect(a, "new:6:10");
  expect(b, "new:7:10");
  expect(b[1].p, "g h");  // the constructor is not told apart by its callers
}

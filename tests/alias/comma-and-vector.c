#include "expect.h"

typedef long V __attribute__((vector_size(16)));
int g, h;
union { V v; int *p[2]; } a, b;
int main(void) {
  a.p[0] = &g;
  a.p[1] = &h;
  b.v = a.v;
  expect(b.p[0], "g h");  // parts of a vector are not told apart
}

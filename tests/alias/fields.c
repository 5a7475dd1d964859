#include "expect.h"

struct S { int *a; char pad; int *b; } s;
int g, h;
int main(void) {
  s.a = &g;
  s.b = &h;
  expect(s.a, "g");
  expect(s.b, "h");
  expect(&s.b, "s+16");
}

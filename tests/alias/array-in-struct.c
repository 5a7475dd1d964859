#include "expect.h"

struct S { int *before; int *a[4]; int *after; } s;
int g, h, k;
int main(int argc, char **argv) {
  s.before = &g;
  s.a[argc] = &h;
  s.after = &k;
  expect(s.before, "g");
  expect(s.after, "k");
  expect(s.a[3], "h");
  expect(&s.a[argc], "s+8%8<40");
}

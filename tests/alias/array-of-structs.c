#include "expect.h"

struct S { int *x, *y; } a[10];
int g, h;
int main(int argc, char **argv) {
  a[argc].x = &g;
  a[argc + 1].y = &h;
  expect(a[2].x, "g");
  expect(a[2].y, "h");
  expect(&a[argc].y, "a+8%16");
}

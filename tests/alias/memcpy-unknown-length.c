#include "expect.h"

#include <string.h>
struct S { int *x, *y; } a[4], b[4];
int g;
int main(int argc, char **argv) {
  a[1].y = &g;
  memcpy(b, a, argc * sizeof *a);
  expect(b[1].y, "g");
  expect(b[1].x, "");
}

#include "expect.h"

#include <string.h>
struct S { int *x, *y, *z; } a, b;
int g, h, k;
int main(void) {
  a.x = &g;
  a.y = &h;
  a.z = &k;
  memcpy(&b, &a, 16);
  expect(b.x, "g");
  expect(b.y, "h");
  expect(b.z, "");
}

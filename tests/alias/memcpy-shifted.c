#include "expect.h"

#include <string.h>
struct S { int *x, *y, *z; } a, b;
int g;
int main(void) {
  a.x = &g;
  memcpy(&b.y, &a.x, 8);
  expect(b.x, "");
  expect(b.y, "g");
  expect(b.z, "");
}

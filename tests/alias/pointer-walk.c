#include "expect.h"

int *a[10], g, h;
struct S { int *x, *y; } b[10];
int main(void) {
  for (int **p = a; p != a + 10; p++) *p = &g;
  expect(a[5], "g");
  for (struct S *p = b; p < b + 10; p++) p->y = &h;
  expect(b[3].y, "h");
  expect(b[3].x, "");
}

#include "expect.h"

int g, h;
static int *id(int *p) { return p; }
static void set(int **p, int *q) { *p = q; }
int main(void) {
  int *a = id(&g), *b;
  set(&b, &h);
  expect(a, "g");
  expect(b, "h");
}

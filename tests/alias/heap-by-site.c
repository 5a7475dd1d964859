#include "expect.h"

#include <stdlib.h>
int g, h;
int main(void) {
  int **p = malloc(8), **q = malloc(8);
  *p = &g;
  *q = &h;
  expect(p, "new:6:13");
  expect(*p, "g");
  expect(*q, "h");
}

#include "expect.h"

#include <stdlib.h>
struct S { int *x, *y; };
int g, h;
int main(int argc, char **argv) {
  struct S *p = malloc(sizeof *p);
  p->x = &g;
  p->y = &h;
  struct S *q = realloc(p, argc * sizeof *p);
  expect(q, "new:10:17");
  expect(q->x, "g");
  expect(q->y, "h");
}

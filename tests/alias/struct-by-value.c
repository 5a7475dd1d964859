#include "expect.h"

struct Big { int *a, *b, *c; };
int g, h;
static int *second(struct Big b) { b.a = &h; return b.b; }
static struct Big make(int *p) { struct Big b = {p, 0, &h}; return b; }
int main(void) {
  struct Big b = {0, &g, 0};
  expect(second(b), "g");
  expect(b.a, "");
  struct Big m = make(&g);
  expect(m.a, "g");
  expect(m.c, "h");
}

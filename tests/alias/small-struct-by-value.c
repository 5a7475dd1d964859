#include "expect.h"

struct Two { int *a, *b; };
int g, h;
static struct Two swap(struct Two t) { struct Two u = {t.b, t.a}; return u; }
int main(void) {
  struct Two t = {&g, &h}, u = swap(t);
  expect(u.a, "g h");
  expect(u.b, "g h");
}

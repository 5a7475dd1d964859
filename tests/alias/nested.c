#include "expect.h"

struct In { int *x, *y; };
struct Out { long n; struct In in[2]; struct In last; } o;
int g, h, k;
int main(void) {
  o.in[0].y = &g;
  o.in[1].y = &h;
  o.last.y = &k;
  expect(o.in[0].y, "g");
  expect(o.in[1].y, "h");
  expect(o.last.y, "k");
  expect(&o.in[1].y, "o+32");
}

#include "expect.h"

struct S { long n; int *p; struct S *next; };
int g, h;
struct S b;
struct S a = {1, &g, &b}, b = {2, &h, &a};
int **q = &a.p;
int main(void) {
  expect(a.p, "g");
  expect(a.next->p, "h");
  expect(q, "a+8");
}

#include "expect.h"

int g, h;
int main(void) {
  int *p = &g;
  expect(p, "g h");
  int **q = &p;
  expect(q, "p");
  expect(*q, "g h");
  p = &h;
  expect(p, "g h");  // the order of statements is not looked at
}

#include "expect.h"

int *a[10], g;
int main(void) {
  int **p = &a[5];
  p[-1] = &g;
  expect(a[4], "g");
  expect(&p[-1], "a+0%8");
}

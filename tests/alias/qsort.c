#include "expect.h"

#include <stdlib.h>
int g, h, *a[2] = {&g, &h};
static int less(const void *x, const void *y) {
  expect(x, "a+0%1");
  return *(int *const *)x > *(int *const *)y;
}
int main(void) {
  qsort(a, 2, sizeof *a, less);
  expect(a[0], "g h");
}

#include "expect.h"

#include <string.h>
int *a[64], g;
int main(void) {
  a[1] = &g;
  memmove(&a[0], &a[1], 63 * sizeof *a);
  expect(a[0], "g");
  expect(a[40], "g");  // a move by one may repeat
}

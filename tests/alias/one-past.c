#include "expect.h"

int *a[2], *b[2], g;
int main(void) {
  int **end = a + 2;
  end[-1] = &g;
  expect(a[1], "g");
  expect(b[0], "");
}

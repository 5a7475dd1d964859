#include "expect.h"

extern int *outside;
int g, h;
int main(void) {
  outside = &g;
  expect(outside, "?");
  expect_escaped(&g);
}

#include "expect.h"

int g, h;
int main(void) {
  int *p = &g;
  __asm__ volatile("" : "+r"(p));
  expect(p, "?");
  expect_escaped(&g);
  expect_private(&h);
}

#include "expect.h"

#include <stdint.h>
int g[4];
int main(void) {
  uintptr_t n = (uintptr_t)&g[0];
  expect((int *)n, "g");
  expect((int *)(n + 4), "g+4");
  expect((int *)(n | 1), "g+0%1");
  expect((int *)(n ^ 5 ^ 5), "g+0%1");
  expect((int *)((long)&g[2] - (long)&g[1]), "");
}

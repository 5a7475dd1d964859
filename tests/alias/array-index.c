#include "expect.h"

int *a[8], g, h;
int main(int argc, char **argv) {
  a[0] = &g;
  a[argc] = &h;
  expect(a[0], "g h");
  expect(a[1], "h");
  expect(&a[argc], "a+0%8");
}

#include "expect.h"

int *m[4][4], g;
int main(int argc, char **argv) {
  m[argc][2] = &g;
  expect(m[1][2], "g");
  expect(m[1][1], "");
  expect(&m[argc][2], "m+16%32");
}

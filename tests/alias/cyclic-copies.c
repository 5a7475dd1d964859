#include "expect.h"

int *a, *b, *c, g, h;
int main(int argc, char **argv) {
  a = &g;
  c = &h;
  while (argc--) {
    b = a;
    c = b;
    a = c;
  }
  expect(a, "g h");
  expect(b, "g h");
}

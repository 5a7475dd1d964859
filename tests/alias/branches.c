#include "expect.h"

int g, h, k;
int main(int argc, char **argv) {
  int *p = argc > 1 ? &g : &h, *q;
  if (argc > 2)
    q = p;
  else
    q = &k;
  expect(p, "g h");
  expect(q, "g h k");
}

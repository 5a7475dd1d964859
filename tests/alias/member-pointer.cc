#include "expect.h"

int g, h;
struct S { int *one() { return &g; } int *two() { return &h; } };
int main(int argc, char **argv) {
  int *(S::*m)() = argc > 1 ? &S::one : &S::two;
  S s;
  expect((s.*m)(), "g h");
}

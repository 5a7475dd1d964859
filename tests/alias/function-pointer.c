#include "expect.h"

int g, h;
static int *one(void) { return &g; }
static int *two(void) { return &h; }
static void other(long a, long b) { expect(&a, "a.addr"); }
int main(int argc, char **argv) {
  int *(*f)(void) = argc > 1 ? one : two;
  void (*k)(long, long) = other;
  expect(f, "one two");
  expect(f(), "g h");
  k(1, 2);
}

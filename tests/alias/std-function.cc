#include "expect.h"

#include <functional>
int g, h;
static int *one() { return &g; }
int main(int argc, char **argv) {
  std::function<int *()> f = one;
  if (argc > 1) f = [] { return &h; };
  expect(f(), "g h");
}

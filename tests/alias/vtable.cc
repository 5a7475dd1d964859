#include "expect.h"

int g, h;
struct Base { virtual int *get() { return &g; } virtual ~Base() {} };
struct Derived : Base { int *get() override { return &h; } };
int main(int argc, char **argv) {
  Base b;
  Derived d;
  Base *p = argc > 1 ? &b : &d;
  expect(p, "b d");
  expect(p->get(), "g h");
}

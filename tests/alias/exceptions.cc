#include "expect.h"

int g;
struct E { int *p; };
static void thrower() { throw E{&g}; }
int main() {
  try {
    thrower();
  } catch (E &e) {
    expect(e.p, "g");
  }
}

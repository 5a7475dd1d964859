#include "expect.h"

int g;
struct V { int *p = &g; virtual ~V() {} };
struct A : virtual V { long x; };
struct B : virtual V { long y; };
struct C : A, B { int *get() { return p; } };
int main() {
  C c;
  expect(c.get(), "_ZTC1C0_1A+24 _ZTC1C0_1A+64 _ZTC1C16_1B+24 _ZTC1C16_1B+64 _ZTV1C+104 _ZTV1C+24 _ZTV1C+64 _ZTV1V+16 g");
}

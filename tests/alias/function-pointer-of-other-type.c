#include "expect.h"

int g, h;
static int *one(void) { return &g; }
static double real(double x) { return x; }
void *f[2] = {one, real};
int main(int argc, char **argv) {
  int *(*run)(void) = f[argc];
  expect(run(), "g");
}

#include "expect.h"

int g, h;
static int *one(int *p) { return p; }
static int *two(int *p) { return &h; }
struct Ops { const char *name; int *(*run)(int *); };
static const struct Ops ops[] = {{"one", one}, {"two", two}};
int main(int argc, char **argv) {
  expect(ops[0].run(&g), "g");
  expect(ops[argc].run(&g), "g h");
}

#include "expect.h"

#include <stdlib.h>
struct V { long n; int *a[]; };
int g, h;
int main(int argc, char **argv) {
  struct V *v = malloc(sizeof *v + argc * 8);
  v->a[argc] = &g;
  expect(v->a[3], "g");
}

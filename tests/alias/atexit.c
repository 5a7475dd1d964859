#include "expect.h"

#include <stdlib.h>
int *p, g;
static void last(void) { p = &g; }
int main(void) {
  atexit(last);
  expect(p, "g");
}

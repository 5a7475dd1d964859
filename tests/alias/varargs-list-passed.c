#include "expect.h"

#include <stdarg.h>
int g;
static int *inner(va_list ap) { return va_arg(ap, int *); }
static int *outer(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int *p = inner(ap);
  va_end(ap);
  return p;
}
int main(void) { expect(outer(1, &g), "g"); }

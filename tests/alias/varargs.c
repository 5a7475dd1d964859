#include "expect.h"

#include <stdarg.h>
int g, h;
static int *pick(int n, ...) {
  va_list ap, again;
  va_start(ap, n);
  va_copy(again, ap);
  int *p = va_arg(ap, int *);
  int *q = va_arg(again, int *);
  va_end(ap);
  expect(q, "g h");
  return p;
}
int main(void) { expect(pick(2, &g, &h), "g h"); }

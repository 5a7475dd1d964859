#include "expect.h"

#include <setjmp.h>
jmp_buf b;
int g, h;
int main(void) {
  int *volatile p = &g;
  if (setjmp(b)) expect(p, "g h");
  p = &h;
  longjmp(b, 1);
}

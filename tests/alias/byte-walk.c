#include "expect.h"

char text[100];
struct S { char buf[16]; char *at; } s;
int main(void) {
  char *p = text;
  while (*p) p++;
  expect(p, "text text+0%1");
  s.at = s.buf;
  while (*s.at) s.at++;
  expect(s.at, "s s+0%1");
}

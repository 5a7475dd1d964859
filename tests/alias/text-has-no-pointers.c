#include "expect.h"

#include <stdio.h>
#include <string.h>
struct S { char name[16]; int *p; } s;
int g, *k = &g;
int main(int argc, char **argv) {
  strcpy(s.name, argv[1]);
  sprintf(s.name, "%p", (void *)k);
  expect(s.p, "");
}

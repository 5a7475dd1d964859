#include "expect.h"

char text[4096];
int main(int argc, char **argv) {
  char *p = text;
  while (argc--) p += 16;
  expect(p, "text text+0%16");
}

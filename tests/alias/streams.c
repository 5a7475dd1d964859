#include "expect.h"

#include <stdio.h>
int g;
int main(void) {
  FILE *f = fopen("x", "r");
  char line[80];
  expect(fgets(line, 80, f), "line");
  fprintf(f, "%p", (void *)&g);
  expect_private(&g);
}

#include "expect.h"

#include <stdlib.h>
#include <string.h>
char text[10], *end;
int main(void) {
  expect(strchr(text, 'x'), "text+0%1");
  strtol(text, &end, 10);
  expect(end, "text+0%1");
  char *save, *p = strtok_r(text, " ", &save);
  expect(p, "text+0%1");
}

#include "expect.h"

#include <stdlib.h>
#include <time.h>
int main(void) {
  expect(getenv("HOME"), "lib:getenv");
  time_t t = 0;
  expect(localtime(&t), "(tm)");
}

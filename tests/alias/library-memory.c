#include "expect.h"

#include <stdlib.h>
#include <time.h>
int main(void) {
  expect(getenv("HOME"), "(strings of argv)+0%1");
  time_t t = 0;
  expect(localtime(&t), "(tm)");
}

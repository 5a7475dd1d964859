#include "expect.h"

void library(void (*f)(int *));
int g;
static void called(int *p) { expect(p, "?"); }
int main(void) {
  library(called);
  int k;
  expect(&k, "k");
  expect_private(&k);
}

#include "expect.h"

int **library(void);
int g, h;
int main(void) {
  *library() = &g;
  expect_escaped(&g);
  expect_private(&h);
}

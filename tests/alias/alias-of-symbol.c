#include "expect.h"

int *var, g;
extern int *other __attribute__((alias("var")));
int *get(void) { return other; }
int main(void) {
  var = &g;
  expect(get(), "g");
}

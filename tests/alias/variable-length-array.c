#include "expect.h"

int g;
int main(int argc, char **argv) {
  int *a[argc];
  a[argc - 1] = &g;
  expect(a[0], "g");
}

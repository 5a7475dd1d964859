#include "expect.h"

int main(int argc, char **argv) {
  expect(argv, "(argv)");
  expect(argv[1], "(strings of argv)");
}

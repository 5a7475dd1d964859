#include "expect.h"
#include <getopt.h>
static int flag, g;
static const struct option all[] = {{"flag", 0, &flag, 1}, {0, 0, 0, 0}};
int main(int argc, char **argv) {
  int *p = &g;
  getopt_long(argc, argv, "x:", all, 0);
  expect(optarg, "?");
  expect_escaped(argv[0]);
  expect_private(&flag);
  expect_private(p);
}

#include "expect.h"

#include <unistd.h>
int g, *p = &g, *q;
char text[10], got[10];
int main(void) {
  int fds[2];
  pipe(fds);
  write(fds[1], &p, sizeof p);
  read(fds[0], &q, sizeof q);
  expect(q, "g");
}

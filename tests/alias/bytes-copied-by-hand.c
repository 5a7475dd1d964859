#include "expect.h"

int *a, *b, g;
static void copy(char *to, const char *from, unsigned n) {
  while (n--) *to++ = *from++;
}
int main(void) {
  a = &g;
  copy((char *)&b, (const char *)&a, sizeof a);
  expect(b, "g");
}

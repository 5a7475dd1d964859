#include "expect.h"

_Thread_local int mine;
_Thread_local int *at;
int main(void) {
  at = &mine;
  expect(at, "mine");
  expect(&at, "at");
}

#include "expect.h"

#include <stdint.h>
struct Node { uintptr_t both; int *data; } a, b;
int g;
int main(void) {
  a.both = (uintptr_t)&b ^ 1;
  b.data = &g;
  struct Node *n = (struct Node *)(a.both ^ 1);
  expect(n->data, "g");
}

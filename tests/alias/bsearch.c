#include "expect.h"

#include <stdlib.h>
int keys[10], key;
static int less(const void *k, const void *e) {
  expect(k, "key");
  expect(e, "keys+0%1");
  return 0;
}
int main(void) { expect(bsearch(&key, keys, 10, 4, less), "keys+0%1"); }

#include "expect.h"

#include <stdatomic.h>
_Atomic(int *) p;
int g, h, k;
int main(void) {
  atomic_store(&p, &g);
  int *old = atomic_exchange(&p, &h), *want = &g;
  atomic_compare_exchange_strong(&p, &want, &k);
  expect(old, "g h k");
  expect(want, "g h k");
}

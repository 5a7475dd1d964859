#include "expect.h"

#include <stdlib.h>
struct T { struct T *l, *r; };
static struct T *tree(int n) {
  struct T *t = malloc(sizeof *t);
  if (n) t->l = tree(n - 1), t->r = t;
  return t;
}
int main(void) {
  struct T *t = tree(3);
  expect(t, "new:6:17");
  expect(t->l->r, "new:6:17");
}

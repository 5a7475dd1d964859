#include "expect.h"

#include <stdlib.h>
struct Node { struct Node *next; int *data; };
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}
static struct Node *node(int *data) {
  struct Node *n = xmalloc(sizeof *n);
  n->data = data;
  return n;
}
int g;
int main(void) {
  struct Node *a = node(&g), *b = node(&g);
  a->next = b;
  expect(a, "new:17:20");
  expect(a->next, "new:17:35");
  expect(b->next, "");
  expect(b->data, "g");
}

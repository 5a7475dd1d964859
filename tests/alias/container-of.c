#include "expect.h"

#include <stddef.h>
struct Link { struct Link *next; };
struct Item { long key; struct Link link; int *data; } one;
struct Link *head;
int g;
int main(void) {
  one.data = &g;
  head = &one.link;
  struct Item *i = (struct Item *)((char *)head - offsetof(struct Item, link));
  expect(i, "one");
  expect(i->data, "g");
}

#include "expect.h"

#include <stdlib.h>
struct L { struct L *next; int *data; } *head;
int g;
int main(int argc, char **argv) {
  while (argc--) {
    struct L *l = malloc(sizeof *l);
    l->next = head;
    l->data = &g;
    head = l;
  }
  for (struct L *l = head; l; l = l->next) expect(l->data, "g");
  expect(head->next->next, "new:8:19");
}

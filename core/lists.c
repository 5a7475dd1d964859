#include "lists.h"
#include <stdlib.h>

static int by_id(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

void ids_sort(uint32_t *ids, size_t len) {
  if (len) qsort(ids, len, sizeof *ids, by_id);
}

Lists lists_new(uint32_t owners, const Pairs *pairs) {
  Lists l = {mem_array((size_t)owners + 2, sizeof *l.first), mem_array(pairs->len, sizeof *l.items)};
  // Counted one further than wanted: filling moves every start to the next owner's, that is, into place.
  uint32_t *at = l.first + 1;
  for (vec_each(i, pairs)) at[pairs->at[i].owner + 1]++;
  for (uint32_t i = 0; i < owners; ++i) at[i + 1] += at[i];
  for (vec_each(i, pairs)) l.items[at[pairs->at[i].owner]++] = pairs->at[i].item;
  return l;
}

void lists_free(Lists *l) {
  mem_free(l->first);
  mem_free(l->items);
  *l = (Lists){0};
}

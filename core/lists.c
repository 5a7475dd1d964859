#include "lists.h"
#include <assert.h>
#include <stdlib.h>
#include "checked.h"

static int by_id(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

void ids_sort(uint32_t *ids, size_t len) {
  if (len) qsort(ids, len, sizeof *ids, by_id);
}

bool ids_ascend(Ids ids) {
  for (size_t i = 1; i < ids.len; ++i)
    if (ids.at[i - 1] >= ids.at[i]) return false;
  return true;
}

Lists lists_new(uint32_t owners, const Pairs *pairs) {
  assert(pairs->len <= UINT32_MAX);
  Lists l = {mem_array((size_t)owners + 2, sizeof *l.first), mem_array(pairs->len, sizeof *l.items)};
  // Counted one further than wanted: filling moves every start to the next owner's, that is, into place.
  uint32_t *at = l.first + 1;
  for (vec_each(i, pairs)) {
    assert(pairs->at[i].owner < owners);
    at[pairs->at[i].owner + 1]++;
  }
  for (uint32_t i = 0; i < owners; ++i) at[i + 1] += at[i];
  for (vec_each(i, pairs)) l.items[at[pairs->at[i].owner]++] = pairs->at[i].item;
  assert(l.first[owners] == pairs->len);
  CHECKED(lists_check(&l, owners, (size_t)UINT32_MAX + 1));
  return l;
}

void lists_free(Lists *l) {
  mem_free(l->first);
  mem_free(l->items);
  *l = (Lists){0};
}

static Lists turned(const Lists *l, uint32_t owners, uint32_t items) {
  Pairs pairs = {0};
  for (uint32_t o = 0; o < owners; ++o) {
    Ids of = lists_of(l, o);
    for (vec_each(i, &of)) pairs_add(&pairs, of.at[i], o);
  }
  Lists t = lists_new(items, &pairs);
  vec_free(&pairs);
  return t;
}

// Turning sorts the lists, so the other ones are turned twice.
bool lists_mirror(const Lists *l, uint32_t owners, const Lists *other, uint32_t items) {
  Lists a = turned(l, owners, items), back = turned(other, items, owners), b = turned(&back, owners, items);
  bool same = !memcmp(a.first, b.first, ((size_t)items + 1) * sizeof *a.first) &&
              !memcmp(a.items, b.items, a.first[items] * sizeof *a.items);
  lists_free(&a), lists_free(&back), lists_free(&b);
  return same;
}

void lists_check(const Lists *l, uint32_t owners, size_t below) {
  assert(!l->first[0]);
  for (uint32_t o = 0; o < owners; ++o) assert(l->first[o] <= l->first[o + 1]);
  for (uint32_t i = 0; i < l->first[owners]; ++i) assert(l->items[i] < below);
}

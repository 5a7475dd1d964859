// core/lists -- many short lists of ids in two arrays: made at once, then read-only.
#pragma once
#include <stdbool.h>
#include "vec.h"

// A view of somebody else's ids: for (vec_each(i, &ids)) ids.at[i].
typedef struct {
  const uint32_t *at;
  size_t len;
} Ids;

typedef Vec(uint32_t) IdVec;

static inline Ids ids_of(const IdVec *v) {
  return (Ids){v->at, v->len};
}
void ids_sort(uint32_t *ids, size_t len);
bool ids_ascend(Ids ids);  // each is larger than the one before

// What is to go where, in any order; items of one owner keep the order they have here.
typedef struct {
  uint32_t owner, item;
} Pair;
typedef Vec(Pair) Pairs;

typedef struct {
  uint32_t *first, *items;
} Lists;
Lists lists_new(uint32_t owners, const Pairs *pairs);
void lists_free(Lists *l);
// The same pairs the other way round, in any order: for each item its owners.
bool lists_mirror(const Lists *l, uint32_t owners, const Lists *other, uint32_t items);
void lists_check(const Lists *l, uint32_t owners, size_t below);  // asserts that it is whole, with items below

static inline Ids lists_of(const Lists *l, uint32_t owner) {
  return (Ids){l->items + l->first[owner], l->first[owner + 1] - l->first[owner]};
}
static inline void pairs_add(Pairs *p, uint32_t owner, uint32_t item) {
  Pair one = {owner, item};
  vec_push(p, one);
}

// alias/set -- sets of dense ids as sorted blocks of 64 bits. A zeroed Set is empty; set_free makes it so
// again.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t *bits;   // by block; `index` stands behind them in the same memory
  uint32_t *index;  // ascending
  uint32_t len, cap;
} Set;

void set_free(Set *s);
bool set_add(Set *s, uint32_t id);  // false: it was there
bool set_has(const Set *s, uint32_t id);
// Adds all of `from`; what was not there goes into `fresh` too. False: nothing was new.
bool set_merge(Set *s, const Set *from, Set *fresh);
// Takes away what a plain bitmap holds; ids beyond its words are not in it.
void set_mask(Set *s, const uint64_t *words, size_t count);
size_t set_count(const Set *s);
void set_copy(Set *s, const Set *from);  // s is empty
bool set_equal(const Set *a, const Set *b);
bool set_within(const Set *part, const Set *whole);

// for (SetAt at = set_first(s); set_next(s, &at);) at.id
typedef struct {
  uint64_t rest;
  uint32_t block, id;
} SetAt;
static inline SetAt set_first(const Set *s) {
  return (SetAt){s->len ? s->bits[0] : 0, 0, 0};
}
static inline bool set_next(const Set *s, SetAt *at) {
  while (!at->rest) {
    if (at->block + 1 >= s->len) return false;
    at->rest = s->bits[++at->block];
  }
  at->id = s->index[at->block] * 64 + (uint32_t)__builtin_ctzll(at->rest);
  at->rest &= at->rest - 1;
  return true;
}
#define set_each(at, s)    \
  SetAt at = set_first(s); \
  set_next(s, &at);

void set_check(const Set *s);  // asserts that it is whole

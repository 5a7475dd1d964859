// Rows of values become a BDD from the leaves up: rows that are single tuples are sorted as bits in the order
// of the variables, so each node is made once. Rows with ranges are joined pairwise instead, in a tree.
#include <stdlib.h>
#include "engine.h"

typedef struct {
  int variable;
  uint32_t attribute;
  unsigned bit;
} Digit;
typedef struct {
  Digit digits[ATTRIBUTES * DOMAIN_BITS];  // from the root
  size_t count, width;                     // width: bytes of a key
  unsigned char *keys;
  const Block *blocks[ATTRIBUTES];
  size_t attributes;
} Rows;

static size_t key_width;  // qsort hands nothing on

static int compare_digits(const void *x, const void *y) {
  const Digit *a = x, *b = y;
  return a->variable < b->variable ? -1 : a->variable > b->variable;
}

static int compare_keys(const void *x, const void *y) {
  return memcmp(x, y, key_width);
}

static bool digit_of(const Rows *r, size_t row, size_t digit) {
  return r->keys[row * r->width + digit / 8] >> (7 - digit % 8) & 1;
}

// Counted. Rows from `first` up to `end` agree in all digits before this one.
static BDD build(const Rows *r, size_t first, size_t end, size_t digit) {
  if (first == end) return bddfalse;
  if (digit == r->count) return bddtrue;
  size_t low = first, high = end;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (digit_of(r, middle, digit))
      high = middle;
    else
      low = middle + 1;
  }
  BDD zero = build(r, first, low, digit + 1), one = build(r, low, end, digit + 1);
  BDD b = bdd_addref(bdd_ite(bdd_ithvar(r->digits[digit].variable), one, zero));
  bdd_delref(zero);
  bdd_delref(one);
  return b;
}

static bool is_tuple(const uint64_t *range, size_t attributes) {
  for (size_t i = 0; i < attributes; ++i)
    if (range[2 * i] != range[2 * i + 1]) return false;
  return true;
}

static BDD box(const Rows *r, const uint64_t *range) {
  BDD all = bddtrue;
  for (size_t i = 0; i < r->attributes; ++i) {
    const Block *b = r->blocks[i];
    graph_and(&all, range[2 * i] == range[2 * i + 1] ? bits_value(b, range[2 * i])
                                                     : bits_range(b, range[2 * i], range[2 * i + 1]));
  }
  return all;
}

static BDD build_boxes(const Rows *r, const uint64_t *ranges, size_t first, size_t end) {
  size_t step = 2 * r->attributes;
  if (first == end) return bddfalse;
  if (first + 1 == end)
    return is_tuple(ranges + first * step, r->attributes) ? bddfalse : box(r, ranges + first * step);
  size_t middle = first + (end - first) / 2;
  BDD a = build_boxes(r, ranges, first, middle), b = build_boxes(r, ranges, middle, end);
  graph_or(&a, b);
  bdd_delref(b);
  return a;
}

static void set_key(Rows *r, size_t row, const uint64_t *range) {
  unsigned char *key = r->keys + row * r->width;
  for (size_t d = 0; d < r->count; ++d)
    if (range[2 * r->digits[d].attribute] >> r->digits[d].bit & 1)
      key[d / 8] |= (unsigned char)(128 >> d % 8);
}

BDD rows_build(Engine *e, uint32_t relation, const uint64_t *ranges, size_t rows) {
  Rows *r = engine_scratch(e, sizeof *r);
  r->attributes = engine_blocks(e, relation, r->blocks);
  for (uint32_t i = 0; i < r->attributes; ++i)
    for (unsigned k = 0; k < r->blocks[i]->bits; ++k)
      r->digits[r->count++] = (Digit){r->blocks[i]->variables[k], i, k};
  qsort(r->digits, r->count, sizeof *r->digits, compare_digits);
  r->width = (r->count + 7) / 8;
  r->keys = engine_scratch(e, rows * r->width);
  size_t tuples = 0;
  for (size_t i = 0; i < rows; ++i)
    if (is_tuple(ranges + i * 2 * r->attributes, r->attributes))
      set_key(r, tuples++, ranges + i * 2 * r->attributes);
  key_width = r->width;
  if (tuples) qsort(r->keys, tuples, r->width, compare_keys);
  BDD all = build(r, 0, tuples, 0);
  if (tuples < rows) {
    BDD boxes = build_boxes(r, ranges, 0, rows);
    graph_or(&all, boxes);
    bdd_delref(boxes);
  }
  return bdd_delref(all);
}

#include <stdlib.h>
#include "bits.h"

static bool bit_of(uint64_t value, unsigned bit) {
  return bit < 64 && value >> bit & 1;
}

// The low bits, which are deep in the BDD, come first: each step then adds one node.
BDD bits_value(const Block *b, uint64_t value) {
  BDD all = bddtrue;
  for (unsigned i = 0; i < b->bits; ++i)
    graph_and(&all, bit_of(value, i) ? bdd_ithvar(b->variables[i]) : bdd_nithvar(b->variables[i]));
  return bdd_delref(all);
}

BDD bits_range(const Block *b, uint64_t low, uint64_t high) {
  BDD above = bddtrue, below = bddtrue;
  for (unsigned i = 0; i < b->bits; ++i) {
    BDD one = bdd_ithvar(b->variables[i]), zero = bdd_nithvar(b->variables[i]);
    if (bit_of(low, i))
      graph_and(&above, one);
    else
      graph_or(&above, one);
    if (bit_of(high, i))
      graph_or(&below, zero);
    else
      graph_and(&below, zero);
  }
  graph_and(&above, below);
  bdd_delref(below);
  return bdd_delref(above);
}

// A block has zeros beyond its bits.
static BDD variable(const Block *b, unsigned bit) {
  return bit < b->bits ? bdd_ithvar(b->variables[bit]) : bddfalse;
}

static unsigned widest(const Block *a, const Block *b) {
  return a->bits > b->bits ? a->bits : b->bits;
}

BDD bits_equal(const Block *a, const Block *b) {
  BDD all = bddtrue;
  for (unsigned i = 0; i < widest(a, b); ++i) graph_and(&all, bdd_biimp(variable(a, i), variable(b, i)));
  return bdd_delref(all);
}

BDD bits_less(const Block *a, const Block *b, bool or_equal) {
  BDD less = or_equal ? bddtrue : bddfalse;
  for (unsigned i = 0; i < widest(a, b); ++i) {
    BDD x = variable(a, i), y = variable(b, i);
    graph_and(&less, bdd_biimp(x, y));
    graph_or(&less, bdd_apply(y, x, bddop_diff));
  }
  return bdd_delref(less);
}

// What a, b and the carry must be at one bit for a sum with this carry out, as a choice on top of the lower
// bits.
static BDD sum_bit(const BDD low[2], BDD a, BDD b, bool offset, bool out) {
  BDD choice[2] = {bddfalse, bddfalse};
  for (unsigned x = 0; x < 2; ++x) {
    BDD of_b[2] = {bddfalse, bddfalse};
    for (unsigned in = 0; in < 2; ++in) {
      unsigned sum = x + offset + in;
      if (sum >> 1 == out) of_b[sum & 1] = low[in];
    }
    graph_set(&choice[x], bdd_ite(b, of_b[1], of_b[0]));
  }
  BDD both = bdd_addref(bdd_ite(a, choice[1], choice[0]));
  bdd_delref(choice[0]);
  bdd_delref(choice[1]);
  return both;
}

// low[c]: what the bits below must be for a carry of c.
BDD bits_sum(const Block *a, const Block *b, uint64_t offset) {
  BDD low[2] = {bddtrue, bddfalse};
  unsigned bits = widest(a, b);
  if (bits < 64 && offset >> bits) return bddfalse;
  for (unsigned i = 0; i < bits; ++i) {
    BDD next[2];
    for (unsigned out = 0; out < 2; ++out)
      next[out] = sum_bit(low, variable(a, i), variable(b, i), bit_of(offset, i), out);
    for (unsigned c = 0; c < 2; ++c) graph_set(&low[c], next[c]), bdd_delref(next[c]);
  }
  bdd_delref(low[1]);
  return bdd_delref(low[0]);
}

BDD bits_set(const Block *b) {
  int variables[DOMAIN_BITS];
  for (unsigned i = 0; i < b->bits; ++i) variables[i] = b->variables[i];
  return bdd_makeset(variables, (int)b->bits);
}

// -- rows

typedef struct {
  int variable;
  uint32_t block;
  unsigned bit;
} Bit;
typedef struct {
  const Block *const *blocks;
  Bit bits[ATTRIBUTES * DOMAIN_BITS];  // by variable
  size_t count;
  bool with_any;
  uint64_t values[ATTRIBUTES];
  bool any[ATTRIBUTES];
  BitsRow *row;
  void *self;
} Walk;

static int compare_bits(const void *x, const void *y) {
  const Bit *a = x, *b = y;
  return a->variable < b->variable ? -1 : a->variable > b->variable;
}

// Not by bdd_support, which fails in BuDDy 2.4 once the library has been ended and begun again.
static bool depends_on(BDD b, const Block *block) {
  return bdd_exist(b, bits_set(block)) != b;
}

static bool walk(Walk *w, BDD b, size_t i) {
  if (b == bddfalse) return true;
  if (i == w->count) return w->row(w->self, w->values, w->any);
  const Bit *bit = &w->bits[i];
  if (w->any[bit->block]) return walk(w, b, i + 1);
  bool tested = b != bddtrue && bdd_var(b) == bit->variable;
  assert(b == bddtrue || bdd_var(b) >= bit->variable);
  const Block *block = w->blocks[bit->block];
  if (!tested && w->with_any && bit->bit + 1 == block->bits && !depends_on(b, block)) {
    w->any[bit->block] = true;
    bool more = walk(w, b, i + 1);
    w->any[bit->block] = false;
    return more;
  }
  if (!walk(w, tested ? bdd_low(b) : b, i + 1)) return false;
  w->values[bit->block] |= (uint64_t)1 << bit->bit;
  bool more = walk(w, tested ? bdd_high(b) : b, i + 1);
  w->values[bit->block] &= ~((uint64_t)1 << bit->bit);
  return more;
}

bool bits_each(BDD b, const Block *const *blocks, size_t count, bool with_any, BitsRow *row, void *self) {
  assert(count <= ATTRIBUTES);
  Walk *w = mem_alloc(sizeof *w);
  *w = (Walk){.blocks = blocks, .with_any = with_any, .row = row, .self = self};
  for (uint32_t i = 0; i < count; ++i)
    for (unsigned k = 0; k < blocks[i]->bits; ++k) w->bits[w->count++] = (Bit){blocks[i]->variables[k], i, k};
  qsort(w->bits, w->count, sizeof *w->bits, compare_bits);
  bool all = walk(w, b, 0);
  mem_free(w);
  return all;
}

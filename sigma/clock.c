// Tries with eight branches; the leaves hold the counts of eight threads. Joining shares every subtree in
// which one side is ahead: where a lock is handed on from thread to thread, the new clock is the giver's but
// for one path. So 64 threads on one lock take 64 bytes per acquire instead of 256, and a few threads 32
// (bench/sigma_load).
#include "clock.h"
#include <assert.h>

typedef struct {
  uint32_t at[8];
} Node;

struct Clocks {
  Vec(Node) nodes;  // 0 is the empty one at every level
  size_t kept;      // those before it may be anybody's
  unsigned levels;
};

Clocks *clocks_new(uint32_t threads) {
  Clocks *cs = mem_alloc(sizeof *cs);
  cs->levels = 1;
  while (cs->levels < 11 && (uint64_t)threads > (uint64_t)1 << 3 * cs->levels) ++cs->levels;
  assert(threads <= (uint64_t)1 << 3 * cs->levels);
  vec_push(&cs->nodes, ((Node){{0}}));
  clocks_keep(cs);
  return cs;
}

void clocks_free(Clocks *cs) {
  if (!cs) return;
  vec_free(&cs->nodes);
  mem_free(cs);
}

void clocks_finish(Clocks *cs) {
  cs->nodes.at = mem_resize(cs->nodes.at, (cs->nodes.cap = cs->nodes.len) * sizeof *cs->nodes.at);
}

size_t clocks_memory(const Clocks *cs) {
  return cs->nodes.cap * sizeof(Node);
}

uint32_t clock_of(const Clocks *cs, uint32_t clock, uint32_t thread) {
  for (unsigned level = cs->levels; level--;) clock = cs->nodes.at[clock].at[thread >> 3 * level & 7];
  return clock;
}

// A node for n: that at a if nobody else has it, else a new one. Growing in place keeps the peak of memory
// low.
static uint32_t put(Clocks *cs, uint32_t a, const Node *n) {
  assert(cs->kept && a < cs->nodes.len);  // 0 is never written over
  if (a < cs->kept) {
    if (cs->nodes.len == cs->nodes.cap)
      cs->nodes.at = mem_resize(cs->nodes.at, (cs->nodes.cap += cs->nodes.cap / 2) * sizeof *n);
    a = (uint32_t)cs->nodes.len++;
  }
  cs->nodes.at[a] = *n;
  return a;
}

void clocks_keep(Clocks *cs) {
  cs->kept = cs->nodes.len;
}

// level 0: of leaves.
static uint32_t join(Clocks *cs, uint32_t a, uint32_t b, unsigned level) {
  if (a == b || !b) return a;
  if (!a) return b;
  Node of_a = cs->nodes.at[a], of_b = cs->nodes.at[b], both;
  for (int i = 0; i < 8; ++i) {
    uint32_t x = of_a.at[i], y = of_b.at[i];
    both.at[i] = level ? join(cs, x, y, level - 1) : x > y ? x : y;
  }
  if (!memcmp(&both, &of_a, sizeof both)) return a;
  return memcmp(&both, &of_b, sizeof both) ? put(cs, a, &both) : b;
}

static uint32_t set(Clocks *cs, uint32_t clock, uint32_t thread, uint32_t count, unsigned level) {
  Node n = cs->nodes.at[clock];
  unsigned i = thread >> 3 * level & 7;
  n.at[i] = level ? set(cs, n.at[i], thread, count, level - 1) : count;
  return put(cs, clock, &n);
}

uint32_t clock_join(Clocks *cs, uint32_t a, uint32_t b, uint32_t thread, uint32_t count) {
  uint32_t both = join(cs, a, b, cs->levels - 1);
  return clock_of(cs, both, thread) >= count ? both : set(cs, both, thread, count, cs->levels - 1);
}

// Marks in `level` at which level above the leaves, and one, a node is in use: it holds either counts or
// nodes.
static void check_node(const Clocks *cs, uint32_t node, unsigned above, uint8_t *level) {
  assert(node < cs->nodes.len);
  if (!node || level[node] == above + 1) return;
  assert(!level[node]);
  level[node] = (uint8_t)(above + 1);
  bool empty = true;
  for (int i = 0; i < 8; ++i) {
    if (above) check_node(cs, cs->nodes.at[node].at[i], above - 1, level);
    empty &= !cs->nodes.at[node].at[i];
  }
  assert(!empty);
}

void clocks_check(const Clocks *cs, const uint32_t *clocks, size_t count) {
  static const Node zero;
  uint8_t *level = mem_array(cs->nodes.len, sizeof *level);
  assert(cs->levels >= 1 && cs->levels <= 11);
  assert(cs->nodes.len && cs->kept && cs->kept <= cs->nodes.len);
  assert(!memcmp(&cs->nodes.at[0], &zero, sizeof zero));
  for (size_t i = 0; i < count; ++i) check_node(cs, clocks[i], cs->levels - 1, level);
  mem_free(level);
}

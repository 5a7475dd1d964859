// Loops against their definition, by brute force.
#undef NDEBUG
#include "graph.h"

typedef struct {
  bool header, latch[GRAPH_LARGEST], block[GRAPH_LARGEST];
} Natural;

// Of each block as a header: everything that reaches a latch without it.
static void natural(const GraphMatrix *m, const Dom *d, Natural *loops) {
  bool seen[GRAPH_LARGEST + 1], live[GRAPH_LARGEST + 1];
  memset(loops, 0, GRAPH_LARGEST * sizeof *loops);
  graph_reach(m, 0, CFG_NONE, live);
  for (uint32_t h = 0; h < m->count; ++h) {
    for (uint32_t t = 0; t < m->count; ++t)
      if (live[t] && m->edge[t][h] && dom_of(d, h, t)) loops[h].header = loops[h].latch[t] = true;
    for (uint32_t b = 0; b < m->count && loops[h].header; ++b) {
      graph_reach(m, b, h, seen);
      for (uint32_t t = 0; t < m->count; ++t)
        if (live[b] && loops[h].latch[t] && seen[t]) loops[h].block[b] = true;
    }
    loops[h].block[h] = loops[h].header;
  }
}

static void test_members(const Loops *l, uint32_t loop, const GraphMatrix *m, const Natural *n) {
  Ids blocks = loop_blocks(l, loop), latches = loop_latches(l, loop);
  size_t in = 0, ends = 0;
  for (uint32_t b = 0; b < m->count; ++b) {
    assert(loop_has(l, loop, b) == n->block[b]);
    in += n->block[b];
    ends += n->latch[b];
  }
  assert(blocks.len == in && latches.len == ends && blocks.at[0] == loop_header(l, loop));
  for (vec_each(i, &blocks)) assert(n->block[blocks.at[i]]);
  for (vec_each(i, &latches)) assert(n->latch[latches.at[i]] && (!i || latches.at[i - 1] < latches.at[i]));
}

static void test_edges(const Loops *l, uint32_t loop, const Natural *n) {
  const Cfg *c = loops_cfg(l);
  Pairs exits = {0};
  loop_exits(l, loop, &exits);
  size_t out = 0, in = 0;
  uint32_t before = CFG_NONE;
  for (uint32_t b = 0; b < cfg_count(c); ++b) {
    Ids to = cfg_succs(c, b);
    for (vec_each(i, &to)) {
      out += n->block[b] && !n->block[to.at[i]];
      if (!n->block[b] && to.at[i] == loop_header(l, loop)) in++, before = b;
    }
  }
  assert(exits.len == out);
  for (vec_each(i, &exits)) assert(n->block[exits.at[i].owner] && !n->block[exits.at[i].item]);
  bool only = in == 1 && cfg_succs(c, before).len == 1;
  assert(loop_preheader(l, loop) == (only ? before : CFG_NONE));
  vec_free(&exits);
}

static void test_nest(const Loops *l, const GraphMatrix *m, const Natural *n) {
  for (uint32_t i = 0; i < loops_count(l); ++i) {
    uint32_t h = loop_header(l, i), depth = 0, p = loop_parent(l, i);
    for (uint32_t o = 0; o < m->count; ++o) depth += n[o].block[h];
    assert(loop_depth(l, i) == depth && loop_last(l, i) >= i && (p == LOOP_NONE) == (depth == 1));
    if (p != LOOP_NONE)
      assert(p < i && i <= loop_last(l, p) && loop_depth(l, p) == depth - 1 && loop_has(l, p, h));
  }
  for (uint32_t b = 0; b < m->count; ++b) {
    uint32_t depth = 0, inner = loops_of(l, b);
    for (uint32_t o = 0; o < m->count; ++o) depth += n[o].block[b];
    assert((inner == LOOP_NONE) == (depth == 0) && (!depth || loop_depth(l, inner) == depth));
  }
}

// Cycles that are left when the back edges are gone.
static void test_irreducible(const Loops *l, const GraphMatrix *m, const Natural *n) {
  GraphMatrix rest = *m;
  bool live[GRAPH_LARGEST + 1], from[GRAPH_LARGEST + 1], back[GRAPH_LARGEST + 1];
  graph_reach(m, 0, CFG_NONE, live);
  for (uint32_t a = 0; a < m->count; ++a)
    for (uint32_t b = 0; b < m->count; ++b) rest.edge[a][b] = live[a] && m->edge[a][b] && !n[b].latch[a];
  for (uint32_t a = 0; a < m->count; ++a) {
    bool cyclic = false;
    graph_reach(&rest, a, CFG_NONE, from);
    for (uint32_t b = 0; b < m->count; ++b) {
      graph_reach(&rest, b, CFG_NONE, back);
      if (a != b && from[b] && back[a]) assert(loops_irreducible(l, a) == loops_irreducible(l, b));
      cyclic = cyclic || (a != b && from[b] && back[a]);
    }
    assert((loops_irreducible(l, a) != LOOP_NONE) == cyclic);
    if (cyclic) assert(loops_irreducible(l, a) < loops_irreducible_count(l));
  }
}

static void test_random(uint64_t seed) {
  GraphMatrix m;
  Graph g = graph_of_seed(seed, &m);
  Cfg *c = cfg_new(g.function);
  Dom *d = dom_new(c);
  Loops *l = loops_new(c, d);
  Natural n[GRAPH_LARGEST];
  natural(&m, d, n);
  uint32_t headers = 0;
  for (uint32_t b = 0; b < m.count; ++b) headers += n[b].header;
  assert(loops_count(l) == headers);
  for (uint32_t i = 0; i < loops_count(l); ++i) {
    assert(n[loop_header(l, i)].header);
    test_members(l, i, &m, &n[loop_header(l, i)]);
    test_edges(l, i, &n[loop_header(l, i)]);
  }
  test_nest(l, &m, n);
  test_irreducible(l, &m, n);
  loops_free(l);
  dom_free(d);
  cfg_free(c);
  graph_free(&g);
}

// A nest as deep as a function is long: header i leads to header i + 1, latch i back to header i.
static void test_deep(uint32_t depth) {
  Pairs edges = {0};
  for (uint32_t i = 0; i < depth; ++i) {
    pairs_add(&edges, i, i + 1);
    pairs_add(&edges, 2 * depth - i, i + 1);
    pairs_add(&edges, 2 * depth - i, 2 * depth - i + 1);
  }
  pairs_add(&edges, depth, depth + 1);
  Graph g = graph_new(2 * depth + 2, &edges);
  Cfg *c = cfg_new(g.function);
  Dom *d = dom_new(c);
  Loops *l = loops_new(c, d);
  assert(loops_count(l) == depth && loop_depth(l, depth - 1) == depth && loop_blocks(l, 0).len == 2 * depth);
  loops_free(l);
  dom_free(d);
  cfg_free(c);
  graph_free(&g);
  vec_free(&edges);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) test_random(seed);
  test_deep(100000);
  return 0;
}

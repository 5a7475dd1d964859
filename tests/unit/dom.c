// Control flow graphs and dominators against their definitions, by brute force.
#undef NDEBUG
#include <time.h>
#include "graph.h"
#include "parse.h"

static void test_edges(const Cfg *c, const GraphMatrix *m) {
  bool seen[GRAPH_LARGEST + 1], mark[GRAPH_LARGEST];
  for (uint32_t b = 0; b < m->count; ++b) {
    memset(mark, 0, sizeof mark);
    cfg_mark_from(c, b, mark);
    graph_reach(m, b, CFG_NONE, seen);
    assert(!memcmp(mark, seen, m->count));
    for (uint32_t to = 0; to < m->count; ++to) {
      memset(mark, 0, sizeof mark);
      cfg_mark_to(c, to, mark);
      assert(mark[b] == seen[to]);
    }
    if (b == 0)
      for (uint32_t to = 0; to < m->count; ++to) assert(seen[to] == (cfg_place(c, to) != CFG_NONE));
  }
  Ids order = cfg_order(c);
  for (vec_each(i, &order)) assert(cfg_place(c, order.at[i]) == i);
}

// In reverse post-order only edges of cycles lead back.
static void test_order(const Cfg *c, const GraphMatrix *m) {
  bool seen[GRAPH_LARGEST + 1];
  Ids order = cfg_order(c);
  assert(order.len && order.at[0] == 0);
  for (vec_each(i, &order)) {
    Ids to = cfg_succs(c, order.at[i]);
    for (vec_each(k, &to)) {
      graph_reach(m, to.at[k], CFG_NONE, seen);
      assert(cfg_place(c, to.at[k]) > i || seen[order.at[i]]);
    }
  }
}

static void test_dom(const Cfg *c, const Dom *d, const GraphMatrix *m) {
  bool with[GRAPH_LARGEST + 1], without[GRAPH_LARGEST + 1];
  graph_reach(m, 0, CFG_NONE, with);
  for (uint32_t a = 0; a < m->count; ++a) {
    graph_reach(m, 0, a, without);
    for (uint32_t b = 0; b < m->count; ++b)
      assert(dom_of(d, a, b) == (!with[b] || a == b || (with[a] && !without[b])));
    assert((dom_depth(d, a) != 0) == with[a]);
    if (!with[a]) continue;
    uint32_t p = dom_parent(d, a);  // the strict dominator that all others dominate
    assert((p == DOM_NONE) == (a == 0));
    for (uint32_t b = 0; b < m->count && p != DOM_NONE; ++b)
      if (b != a && with[b] && dom_of(d, b, a)) assert(dom_of(d, b, p));
  }
  for (uint32_t a = 0; a < m->count; ++a)
    for (uint32_t b = 0; b < m->count; ++b) {
      if (!with[a] || !with[b]) continue;
      uint32_t common = dom_common(d, a, b);
      for (uint32_t x = 0; x < m->count; ++x)
        if (with[x] && dom_of(d, x, a) && dom_of(d, x, b)) assert(dom_of(d, x, common));
      assert(dom_of(d, common, a) && dom_of(d, common, b));
    }
  (void)c;
}

// An edge dominates b if b is out of reach without it.
static void test_dom_edge(const Cfg *c, const Dom *d, const GraphMatrix *m) {
  bool with[GRAPH_LARGEST + 1], without[GRAPH_LARGEST + 1];
  graph_reach(m, 0, CFG_NONE, with);
  for (uint32_t from = 0; from < m->count; ++from) {
    Ids to = cfg_succs(c, from);
    for (vec_each(i, &to)) {
      GraphMatrix cut = *m;
      unsigned same = 0;
      for (vec_each(k, &to)) same += to.at[k] == to.at[i];
      cut.edge[from][to.at[i]] = false;
      graph_reach(&cut, 0, CFG_NONE, without);
      for (uint32_t b = 0; b < m->count; ++b)
        if (with[b] && with[from]) assert(dom_edge(d, from, to.at[i], b) == (same == 1 && !without[b]));
    }
  }
}

// With an edge to the virtual exit from every block that returns, and from those below it that reach no exit.
static void test_postdom(const Cfg *c, const Dom *p, const GraphMatrix *m) {
  GraphMatrix back = {.count = m->count};
  bool seen[GRAPH_LARGEST + 1];
  for (uint32_t b = 0; b < m->count; ++b) {
    bool exits = false;
    graph_reach(m, b, CFG_NONE, seen);
    for (uint32_t x = 0; x < m->count; ++x) exits = exits || (seen[x] && !cfg_succs(c, x).len);
    back.edge[GRAPH_LARGEST][b] = !cfg_succs(c, b).len || (!exits && dom_parent(p, b) == DOM_NONE);
    for (uint32_t s = 0; s < m->count; ++s) back.edge[s][b] = m->edge[b][s];
  }
  for (uint32_t a = 0; a < m->count; ++a) {
    graph_reach(&back, GRAPH_LARGEST, CFG_NONE, seen);
    assert(seen[a] && dom_depth(p, a));
    graph_reach(&back, GRAPH_LARGEST, a, seen);
    for (uint32_t b = 0; b < m->count; ++b) assert(dom_of(p, a, b) == (a == b || !seen[b]));
  }
}

static void test_children(const Dom *d, uint32_t count) {
  uint32_t total = 0;
  for (uint32_t b = 0; b <= count; ++b) {
    uint32_t parent = b < count ? b : DOM_NONE;
    Ids children = dom_children(d, parent);
    for (vec_each(i, &children)) {
      assert(dom_parent(d, children.at[i]) == parent && (!i || children.at[i - 1] < children.at[i]));
      assert(dom_depth(d, children.at[i]) == (parent == DOM_NONE ? 1 : dom_depth(d, b) + 1));
    }
    total += (uint32_t)children.len;
  }
  for (uint32_t b = 0; b < count; ++b) total -= dom_depth(d, b) != 0;
  assert(total == 0);
}

static void test_random(uint64_t seed) {
  GraphMatrix m;
  Graph g = graph_of_seed(seed, &m);
  Cfg *c = cfg_new(g.function);
  Dom *d = dom_new(c), *p = dom_new_post(c);
  test_edges(c, &m);
  test_order(c, &m);
  test_dom(c, d, &m);
  test_dom_edge(c, d, &m);
  test_postdom(c, p, &m);
  test_children(d, m.count);
  test_children(p, m.count);
  dom_free(p);
  dom_free(d);
  cfg_free(c);
  graph_free(&g);
}

// Shapes that overflow a recursion's stack, or that take quadratic time in simpler algorithms.
static void test_large(uint32_t blocks, bool ladder) {
  Pairs edges = {0};
  for (uint32_t b = 0; b + 2 < blocks; ++b) {
    pairs_add(&edges, b, b + 1);
    if (ladder || b % 2) pairs_add(&edges, b, ladder ? b + 2 : b ? b : 1);
    if (b % 1000 == 999) pairs_add(&edges, b, b - 998);
  }
  Graph g = graph_new(blocks, &edges);
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  Cfg *c = cfg_new(g.function);
  Dom *d = dom_new(c), *p = dom_new_post(c);
  Loops *l = loops_new(c, d);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%u blocks: %.3f s, %u loops\n", blocks,
         (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec), loops_count(l));
  assert(ladder || dom_depth(d, blocks - 2) == blocks - 1);
  assert(dom_of(d, 0, blocks - 2) && !dom_depth(d, blocks - 1) == !cfg_preds(c, blocks - 1).len);
  loops_free(l);
  dom_free(p);
  dom_free(d);
  cfg_free(c);
  graph_free(&g);
  vec_free(&edges);
}

static const char ir[] =
    "declare i32 @g()\n"
    "declare i32 @__gxx_personality_v0(...)\n"
    "define i32 @f(i1 %c) personality ptr @__gxx_personality_v0 {\n"
    "  %a = invoke i32 @g() to label %ok unwind label %bad\n"
    "ok:\n"
    "  %x = add i32 %a, 1\n"
    "  %y = add i32 %x, 1\n"
    "  ret i32 %y\n"
    "bad:\n"
    "  %l = landingpad { ptr, i32 } cleanup\n"
    "  br label %loop\n"
    "loop:\n"
    "  br label %loop\n"
    "dead:\n"
    "  br label %loop\n"
    "}\n";

static LLVMValueRef named(LLVMValueRef f, const char *name) {
  size_t len;
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (!strcmp(LLVMGetValueName2(i, &len), name)) return i;
  return NULL;
}

static void test_insts(void) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = parse(context, ir);
  LLVMValueRef f = LLVMGetNamedFunction(m, "f");
  LLVMValueRef a = named(f, "a"), x = named(f, "x"), y = named(f, "y"), l = named(f, "l");
  Cfg *c = cfg_new(f);
  Dom *d = dom_new(c), *p = dom_new_post(c);
  assert(dom_inst(d, x, y) && !dom_inst(d, y, x) && !dom_inst(d, x, x) && dom_inst(d, a, y) &&
         dom_inst(d, a, l));
  assert(dom_inst(p, y, x) && !dom_inst(p, x, y) && !dom_inst(p, y, a) && !dom_inst(d, x, l));
  assert(cfg_of(c, y) == 1 && dom_edge(d, 0, 1, 1) && dom_edge(d, 0, 2, 3) && !dom_edge(d, 0, 1, 3));
  assert(dom_of(d, 3, 4) && !dom_of(d, 4, 3) && dom_depth(p, 4) && dom_parent(p, 4) == 3);
  dom_free(p);
  dom_free(d);
  cfg_free(c);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 1500; ++seed) test_random(seed);
  test_large(200000, false);
  test_large(200000, true);
  test_insts();
  return 0;
}

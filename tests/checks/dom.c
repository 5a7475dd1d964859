// ir/dom: what dom_check notices.
#undef NDEBUG
#include "ir/dom.c"
#include "dies.h"
#include "../unit/graph.h"

static void check(void *d) {
  dom_check(d);
}

static void ask(void *d) {
  dom_common(d, 1, DOM_NONE);
}

static void damage(Dom *d, uint32_t *field, uint32_t value, const char *function) {
  uint32_t old = *field;
  assert(old != value);
  *field = value;
  dies_in(function, check, d);
  *field = old;
  dom_check(d);
}

// 0 -> 1, 2 -> 3 -> 4, 5; nothing leads to 6.
static void test_dominators(const Cfg *c) {
  Dom *d = dom_new(c);
  dies_in("dom_common", ask, d);
  assert(d->parent[3] == 0 && d->parent[4] == 3 && d->parent[5] == 3);
  damage(d, &d->depth[6], 1, "check_parent");
  damage(d, &d->depth[3], 3, "check_children");
  damage(d, &d->parent[4], 0, "check_children");
  damage(d, &d->parent[3], 1, "check_parent");  // which does not dominate 2
  damage(d, &d->leave[3], d->leave[3] - 1, "check_children");
  damage(d, &d->enter[5], d->enter[4], "dom_check");
  damage(d, &d->children.items[0], d->children.items[1], "check_children");
  dom_free(d);
}

static void test_post(const Cfg *c) {
  Dom *d = dom_new_post(c);
  assert(d->parent[3] == d->count && d->parent[0] == 3);
  damage(d, &d->parent[0], 2, "check_parent");
  damage(d, &d->depth[0], 0, "dom_check");
  damage(d, &d->children.first[1], 8, "lists_check");
  dom_free(d);
}

int main(void) {
  Pairs edges = {0};
  pairs_add(&edges, 0, 1), pairs_add(&edges, 0, 2), pairs_add(&edges, 1, 3), pairs_add(&edges, 2, 3);
  pairs_add(&edges, 3, 4), pairs_add(&edges, 3, 5), pairs_add(&edges, 6, 3);
  Graph g = graph_new(7, &edges);
  Cfg *c = cfg_new(g.function);
  test_dominators(c);
  test_post(c);
  cfg_free(c);
  vec_free(&edges);
  graph_free(&g);
  return 0;
}

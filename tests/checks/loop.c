// ir/loop: what loops_check notices.
#undef NDEBUG
#include "ir/loop.c"
#include "dies.h"
#include "../unit/graph.h"

static void check(void *l) {
  loops_check(l);
}

static void ask(void *l) {
  loop_header(l, LOOP_NONE);
}

static void damage(Loops *l, uint32_t *field, uint32_t value, const char *function) {
  uint32_t old = *field;
  assert(old != value);
  *field = value;
  dies_in(function, check, l);
  *field = old;
  loops_check(l);
}

static void test_damage(Loops *l) {
  assert(l->count == 3 && l->loops[1].parent == 0 && l->loops[2].parent == LOOP_NONE);
  dies_in("loop_header", ask, l);
  damage(l, &l->loops[1].parent, LOOP_NONE, "check_nest");
  damage(l, &l->loops[1].depth, 1, "check_nest");
  damage(l, &l->loops[0].last, 2, "check_nest");
  damage(l, &l->loops[2].last, 3, "check_nest");
  damage(l, &l->loops[2].header, 2, "check_nest");
  damage(l, &l->innermost[3], 2, "check_blocks");  // 3 is in the inner loop
  damage(l, &l->innermost[0], 0, "check_blocks");  // the entry is in none
  damage(l, &l->loops[1].end, l->loops[1].end - 1, "check_blocks");
  damage(l, &l->blocks[0], 3, "check_blocks");
  damage(l, &l->latches.items[0], 2, "check_latches");
  damage(l, &l->latches.items[0], 9, "lists_check");
  damage(l, &l->part[4], 0, "loops_check");
}

// 0 -> 1 -> 2 -> 3 -> 2, 3 -> 4 -> 1, 4 -> 5 -> 5, 5 -> 6
int main(void) {
  Pairs edges = {0};
  pairs_add(&edges, 0, 1), pairs_add(&edges, 1, 2), pairs_add(&edges, 2, 3), pairs_add(&edges, 3, 2);
  pairs_add(&edges, 3, 4), pairs_add(&edges, 4, 1), pairs_add(&edges, 4, 5), pairs_add(&edges, 5, 5);
  pairs_add(&edges, 5, 6);
  Graph g = graph_new(7, &edges);
  Cfg *c = cfg_new(g.function);
  Dom *d = dom_new(c);
  Loops *l = loops_new(c, d);
  test_damage(l);
  loops_free(l);
  dom_free(d);
  cfg_free(c);
  vec_free(&edges);
  graph_free(&g);
  return 0;
}

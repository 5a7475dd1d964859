// ir/cfg: what cfg_check notices.
#undef NDEBUG
#include "ir/cfg.c"
#include "dies.h"
#include "../unit/graph.h"

static void check(void *c) {
  cfg_check(c);
}

static void ask(void *c) {
  cfg_preds(c, CFG_NONE);
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t old = *a;
  *a = *b, *b = old;
}

static void test_order(Cfg *c) {
  swap(&c->order[1], &c->order[2]);
  dies_in("check_order", check, c);
  swap(&c->place[c->order[1]], &c->place[c->order[2]]);  // both agree, but 2 comes before 1
  dies_in("check_reached", check, c);
  swap(&c->order[1], &c->order[2]);
  swap(&c->place[c->order[1]], &c->place[c->order[2]]);
  c->place[4] = 3;
  dies_in("check_order", check, c);
  c->place[4] = CFG_NONE;
  cfg_check(c);
}

static void test_edges(Cfg *c) {
  uint32_t *to = &c->succs.items[c->succs.first[2]], *from = &c->preds.items[c->preds.first[3]];
  assert(*to == 3 && *from == 2);
  *to = 5;
  dies_in("lists_check", check, c);
  *to = 1;
  dies_in("cfg_check", check, c);
  *to = 3, *from = 1;
  dies_in("cfg_check", check, c);
  *from = 2;
  cfg_check(c);
}

// 0 -> 1 -> 2 -> 3, 2 -> 1; nothing leads to 4.
int main(void) {
  Pairs edges = {0};
  pairs_add(&edges, 0, 1), pairs_add(&edges, 1, 2), pairs_add(&edges, 2, 3), pairs_add(&edges, 2, 1);
  pairs_add(&edges, 4, 1);
  Graph g = graph_new(5, &edges);
  Cfg *c = cfg_new(g.function);
  cfg_check(c);
  dies_in("cfg_preds", ask, c);
  test_order(c);
  test_edges(c);
  LLVMBasicBlockRef block = c->blocks[2];
  c->blocks[2] = c->blocks[1];
  dies_in("cfg_check", check, c);
  c->blocks[2] = block;
  cfg_free(c);
  vec_free(&edges);
  graph_free(&g);
  return 0;
}

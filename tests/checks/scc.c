// core/scc: what scc_check notices.
#undef NDEBUG
#include "core/scc.c"
#include "dies.h"

typedef struct {
  Lists edges;
  Scc scc;
} Graph;

static void check(void *data) {
  const Graph *g = data;
  scc_check(&g->scc, 4, &g->edges);
}

// 0 <-> 1 -> 2, 3 -> 3
int main(void) {
  Pairs p = {0};
  pairs_add(&p, 0, 1), pairs_add(&p, 1, 0), pairs_add(&p, 1, 2), pairs_add(&p, 3, 3);
  Graph g = {.edges = lists_new(4, &p)};
  g.scc = scc_new(4, &g.edges);
  check(&g);
  Scc *s = &g.scc;
  assert(s->count == 3 && s->of[0] == s->of[1] && s->of[2] < s->of[0] && s->cyclic[s->of[3]]);
  s->cyclic[s->of[3]] = false;
  dies_in("check_edges", check, &g);
  s->cyclic[s->of[3]] = true, s->cyclic[s->of[0]] = false;
  dies_in("scc_check", check, &g);
  s->cyclic[s->of[0]] = true, s->of[2] = s->of[3];
  dies_in("scc_check", check, &g);
  s->of[2] = 0, s->members.items[0] = 4;
  dies_in("lists_check", check, &g);
  s->members.items[0] = 2;
  check(&g);
  g.edges.items[3] = 0, s->cyclic[2] = false;  // 3 -> 0 leads down, as it must
  check(&g);
  g.edges.items[2] = 3;  // 1 -> 3 would close a cycle
  dies_in("check_edges", check, &g);
  scc_free(&g.scc);
  lists_free(&g.edges);
  vec_free(&p);
  return 0;
}

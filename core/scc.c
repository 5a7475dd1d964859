// Tarjan, "Depth-first search and linear graph algorithms" (1972), with a stack of our own for the recursion.
#include "scc.h"
#include <assert.h>
#include "checked.h"

typedef struct {
  const Lists *edges;
  uint32_t nodes;
  uint32_t *number, *low, *next;  // number 0: not seen; UINT32_MAX: in a finished component
  uint32_t last;
  IdVec open, path;
} Walk;

static void enter(Walk *w, uint32_t v) {
  w->number[v] = w->low[v] = ++w->last;
  vec_push(&w->open, v);
  vec_push(&w->path, v);
}

static void finish(Walk *w, Scc *s, uint32_t v) {
  if (w->low[v] == w->number[v]) {
    uint32_t u;
    do {
      u = vec_pop(&w->open);
      s->of[u] = s->count;
      w->number[u] = UINT32_MAX;
    } while (u != v);
    s->count++;
  }
  (void)vec_pop(&w->path);
  uint32_t up = w->path.len ? vec_last(&w->path) : v;
  if (w->low[v] < w->low[up]) w->low[up] = w->low[v];
}

static void walk(Walk *w, Scc *s, uint32_t root) {
  enter(w, root);
  while (w->path.len) {
    uint32_t v = vec_last(&w->path);
    Ids to = lists_of(w->edges, v);
    if (w->next[v] == to.len) {
      finish(w, s, v);
      continue;
    }
    uint32_t u = to.at[w->next[v]++];
    assert(u < w->nodes);
    if (!w->number[u])
      enter(w, u);
    else if (w->number[u] < w->low[v])
      w->low[v] = w->number[u];
  }
}

static void describe(Scc *s, uint32_t nodes, const Lists *edges) {
  Pairs members = {0};
  for (uint32_t v = 0; v < nodes; ++v) pairs_add(&members, s->of[v], v);
  s->members = lists_new(s->count, &members);
  vec_free(&members);
  s->cyclic = mem_array(s->count, sizeof *s->cyclic);
  for (uint32_t v = 0; v < nodes; ++v) {
    Ids to = lists_of(edges, v);
    for (vec_each(i, &to))
      if (s->of[to.at[i]] == s->of[v]) s->cyclic[s->of[v]] = true;
  }
}

Scc scc_new(uint32_t nodes, const Lists *edges) {
  Scc s = {.of = mem_array(nodes, sizeof *s.of)};
  Walk w = {.edges = edges, .nodes = nodes};
  uint32_t **all[] = {&w.number, &w.low, &w.next};
  for (size_t i = 0; i < 3; ++i) *all[i] = mem_array(nodes, sizeof **all[i]);
  for (uint32_t v = 0; v < nodes; ++v)
    if (!w.number[v]) walk(&w, &s, v);
  assert(!w.open.len);  // each node is in a finished component
  for (size_t i = 0; i < 3; ++i) mem_free(*all[i]);
  vec_free(&w.open);
  vec_free(&w.path);
  describe(&s, nodes, edges);
  CHECKED(scc_check(&s, nodes, edges));
  return s;
}

void scc_free(Scc *s) {
  mem_free(s->of);
  lists_free(&s->members);
  mem_free(s->cyclic);
  *s = (Scc){0};
}

// Edges out of a component lead to smaller numbers, so no component is a part of a larger one.
static void check_edges(const Scc *s, uint32_t v, const Lists *edges) {
  Ids to = lists_of(edges, v);
  bool stays = false;
  for (vec_each(i, &to)) {
    assert(s->of[to.at[i]] <= s->of[v]);
    stays = stays || s->of[to.at[i]] == s->of[v];
  }
  assert(stays == s->cyclic[s->of[v]]);
}

void scc_check(const Scc *s, uint32_t nodes, const Lists *edges) {
  assert(s->count <= nodes);
  lists_check(&s->members, s->count, nodes);
  assert(s->members.first[s->count] == nodes);
  for (uint32_t c = 0; c < s->count; ++c) {
    Ids members = lists_of(&s->members, c);
    assert(members.len && ids_ascend(members));
    assert(members.len == 1 || s->cyclic[c]);
    for (vec_each(i, &members)) assert(s->of[members.at[i]] == c);
  }
  for (uint32_t v = 0; v < nodes; ++v) check_edges(s, v, edges);
}

// Tarjan, "Depth-first search and linear graph algorithms" (1972), with a stack of our own for the recursion.
#include "scc.h"

typedef struct {
  const Lists *edges;
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
  Walk w = {.edges = edges};
  uint32_t **all[] = {&w.number, &w.low, &w.next};
  for (size_t i = 0; i < 3; ++i) *all[i] = mem_array(nodes, sizeof **all[i]);
  for (uint32_t v = 0; v < nodes; ++v)
    if (!w.number[v]) walk(&w, &s, v);
  for (size_t i = 0; i < 3; ++i) mem_free(*all[i]);
  vec_free(&w.open);
  vec_free(&w.path);
  describe(&s, nodes, edges);
  return s;
}

void scc_free(Scc *s) {
  mem_free(s->of);
  lists_free(&s->members);
  mem_free(s->cyclic);
  *s = (Scc){0};
}

// Numbers calling contexts as Whaley and Lam do (PLDI 2004, section 4.1): a node has as many contexts as
// there are paths from the roots to it in the graph of strongly connected components. An edge inside a
// component keeps the number; an edge between two adds to it what other edges have taken in its target. Where
// 2^62 contexts, or the values of the domain, do not suffice, contexts are merged into the last one: coarser,
// but no path is lost.
#include <stdlib.h>
#include "engine.h"

typedef struct {
  uint32_t term, source, target;  // nodes by id
  uint64_t from, to;              // their values
} PathEdge;
typedef struct {
  Engine *e;
  const Rule *rule;
  Map **ids;  // by variable of the rule: value -> node
  uint32_t nodes;
  Vec(PathEdge) edges;
  IdVec roots;
  uint32_t term;
} Paths;

static uint32_t node_of(Paths *p, const Argument *a, uint64_t value) {
  Map **ids = &p->ids[a->variable];
  if (!*ids) *ids = map_new();
  uint64_t id;
  if (map_get(*ids, value, &id)) return (uint32_t)id;
  map_put(*ids, value, p->nodes);
  return p->nodes++;
}

static bool add_root(void *self, const uint64_t *values, const bool *any) {
  Paths *p = self;
  (void)any;
  vec_push(&p->roots, node_of(p, &p->rule->body.at[0].arguments.at[0], values[0]));
  return true;
}

static bool add_edge(void *self, const uint64_t *values, const bool *any) {
  Paths *p = self;
  (void)any;
  const Argument *a = p->rule->body.at[p->term].arguments.at;
  PathEdge edge = {p->term, node_of(p, &a[0], values[0]), node_of(p, &a[1], values[1]), values[0], values[1]};
  vec_push(&p->edges, edge);
  return p->edges.len % 65536 || !graph_spent();
}

// So that numbers do not depend on the order of variables.
static int compare_edges(const void *x, const void *y) {
  const PathEdge *a = x, *b = y;
  if (a->term != b->term) return a->term < b->term ? -1 : 1;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

static void collect(Paths *p) {
  for (vec_each(i, &p->rule->body)) {
    const Block *blocks[ATTRIBUTES];
    uint32_t relation = p->rule->body.at[i].relation;
    size_t count = engine_blocks(p->e, relation, blocks);
    p->term = (uint32_t)i;
    bits_each(p->e->relations[relation], blocks, count, false, i ? add_edge : add_root, p);
  }
  if (p->edges.len) qsort(p->edges.at, p->edges.len, sizeof *p->edges.at, compare_edges);
}

static Scc components(const Paths *p) {
  Pairs pairs = {0};
  for (vec_each(i, &p->edges)) pairs_add(&pairs, p->edges.at[i].source, p->edges.at[i].target);
  Lists lists = lists_new(p->nodes, &pairs);
  Scc scc = scc_new(p->nodes, &lists);
  lists_free(&lists);
  vec_free(&pairs);
  return scc;
}

typedef struct {
  uint64_t *contexts;  // by component
  uint64_t *offset;    // by edge
  bool *merged;        // by edge
  uint64_t last;       // the context for what is merged
} Numbers;

// Edges by component of their source; components with larger numbers come first (core/scc).
static void count(const Paths *p, const Scc *scc, Numbers *n) {
  Pairs by_source = {0};
  for (vec_each(i, &p->edges)) pairs_add(&by_source, scc->of[p->edges.at[i].source], (uint32_t)i);
  Lists lists = lists_new(scc->count, &by_source);
  for (vec_each(i, &p->roots)) n->contexts[scc->of[p->roots.at[i]]] = 1;
  for (uint32_t c = scc->count; c-- > 0;) {
    Ids edges = lists_of(&lists, c);
    for (vec_each(i, &edges)) {
      uint32_t edge = edges.at[i], to = scc->of[p->edges.at[edge].target];
      if (to == c || !n->contexts[c]) continue;
      if (n->contexts[to] > n->last || n->contexts[c] > n->last - n->contexts[to]) {
        n->merged[edge] = true;
        n->contexts[to] = n->last + 1;
      } else {
        n->offset[edge] = n->contexts[to];
        n->contexts[to] += n->contexts[c];
      }
    }
  }
  lists_free(&lists);
  vec_free(&by_source);
}

static bool is_numbered(const Rule *r, const PathEdge *edge) {
  const Argument *a = r->body.at[edge->term].arguments.at, *head = r->head.arguments.at;
  return a[0].variable == head[0].variable && a[1].variable == head[1].variable;
}

// The contexts of both ends of one edge. Counted.
static BDD edge_contexts(const Paths *p, const Step *s, const Scc *scc, const Numbers *n, size_t i) {
  const PathEdge *edge = &p->edges.at[i];
  const Block *from = engine_block(p->e, s->head, 0), *to = engine_block(p->e, s->head, 1);
  const Block *caller = engine_block(p->e, s->head, 2), *callee = engine_block(p->e, s->head, 3);
  uint64_t contexts = n->contexts[scc->of[edge->source]];
  if (!contexts || !is_numbered(p->rule, edge)) return bddfalse;
  BDD all = bddtrue;
  graph_and(&all, n->merged[i] ? bits_value(callee, n->last) : bits_sum(caller, callee, n->offset[i]));
  graph_and(&all, bits_range(caller, 0, contexts - 1));
  graph_and(&all, bits_value(from, edge->from));
  graph_and(&all, bits_value(to, edge->to));
  return all;
}

static BDD join(const Paths *p, const Step *s, const Scc *scc, const Numbers *n, size_t first, size_t end) {
  if (first == end) return bddfalse;
  if (first + 1 == end) return edge_contexts(p, s, scc, n, first);
  size_t middle = first + (end - first) / 2;
  BDD a = join(p, s, scc, n, first, middle), b = join(p, s, scc, n, middle, end);
  graph_or(&a, b);
  bdd_delref(b);
  return a;
}

static void free_paths(Paths *p) {
  for (vec_each(i, &p->rule->variables)) map_free(p->ids[i]);
  mem_free(p->ids);
  vec_free(&p->edges);
  vec_free(&p->roots);
}

static uint64_t room_for_contexts(const Engine *e, const Step *s) {
  uint64_t room = (uint64_t)1 << 62;
  for (size_t i = 2; i < 4; ++i) {
    uint64_t size = e->program->domains.at[engine_block(e, s->head, i)->domain].size;
    if (size < room) room = size;
  }
  return room;
}

static void *scratch_copy(Engine *e, const void *at, size_t size) {
  void *copy = engine_scratch(e, size);
  if (size) memcpy(copy, at, size);
  return copy;
}

// Everything is counted before the first operation that may leave, and what those need is where engine_free
// finds it.
void number_paths(Engine *e, const Step *s) {
  Paths p = {.e = e, .rule = &e->program->rules.at[s->rule]};
  p.ids = mem_array(p.rule->variables.len + 1, sizeof *p.ids);
  collect(&p);
  Scc scc = components(&p);
  Numbers n = {.last = room_for_contexts(e, s) - 1};
  n.contexts = engine_scratch(e, scc.count * sizeof *n.contexts);
  n.offset = engine_scratch(e, p.edges.len * sizeof *n.offset);
  n.merged = engine_scratch(e, p.edges.len * sizeof *n.merged);
  count(&p, &scc, &n);
  Paths kept = {.e = e, .rule = p.rule};
  kept.edges.at = scratch_copy(e, p.edges.at, p.edges.len * sizeof *p.edges.at);
  kept.edges.len = p.edges.len;
  Scc of = {.of = scratch_copy(e, scc.of, p.nodes * sizeof *scc.of)};
  free_paths(&p);
  scc_free(&scc);
  graph_check();
  BDD all = join(&kept, s, &of, &n, 0, kept.edges.len);
  graph_or(&e->relations[s->head], all);
  bdd_delref(all);
}

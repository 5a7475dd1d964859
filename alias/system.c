#include "system.h"

System *system_new(void) {
  System *s = mem_alloc(sizeof *s);
  s->spots = spots_new(&s->sizes);
  s->types = intern_new();
  s->shift_ids = intern_new();
  system_shift(s, (Shift){0, 0, 0});
  system_object(s, KIND_UNKNOWN, NULL, -1);
  system_base(s, system_node(s), (Spot){.object = OBJECT_UNKNOWN});
  return s;
}

void system_free(System *s) {
  if (!s) return;
  spots_free(s->spots);
  intern_free(s->types);
  intern_free(s->shift_ids);
  vec_free(&s->objects);
  vec_free(&s->sizes);
  vec_free(&s->shifts);
  vec_free(&s->bases);
  vec_free(&s->edges);
  vec_free(&s->loads);
  vec_free(&s->stores);
  vec_free(&s->moves);
  vec_free(&s->calls);
  vec_free(&s->args);
  vec_free(&s->routines);
  vec_free(&s->escapes);
  vec_free(&s->escaped);
  mem_free(s->routine_of);
  set_free(&s->queried);
  mem_free(s);
}

uint32_t system_object(System *s, ObjectKind kind, LLVMValueRef value, int64_t size) {
  Object o = {kind, value, NULL};
  vec_push(&s->objects, o);
  vec_push(&s->sizes, size);
  return (uint32_t)s->objects.len - 1;
}

uint32_t system_shift(System *s, Shift by) {
  uint32_t id = intern_id(s->shift_ids, (const char *)&by, sizeof by);
  if (id == s->shifts.len) vec_push(&s->shifts, by);
  return id;
}

void system_base(System *s, uint32_t node, Spot spot) {
  Base b = {node, spots_id(s->spots, spot)};
  vec_push(&s->bases, b);
}

void system_edge(System *s, uint32_t dst, uint32_t src, uint32_t shift) {
  Edge e = {dst, src, shift};
  if (dst != NODE_NONE && src != NODE_NONE && (dst != src || shift)) vec_push(&s->edges, e);
}

void system_load(System *s, uint32_t value, uint32_t pointer, int64_t bytes) {
  Access a = {value, pointer, bytes};
  if (value != NODE_NONE && pointer != NODE_NONE) vec_push(&s->loads, a);
}

void system_store(System *s, uint32_t pointer, uint32_t value, int64_t bytes) {
  Access a = {value, pointer, bytes};
  if (value != NODE_NONE && pointer != NODE_NONE) vec_push(&s->stores, a);
}

void system_move(System *s, uint32_t dst, uint32_t src, int64_t bytes) {
  if (dst == NODE_NONE || src == NODE_NONE) return;
  Move m = {dst, src, system_object(s, KIND_MOVE, NULL, bytes ? bytes : -1), bytes ? bytes : SPOT_REST};
  vec_push(&s->moves, m);
}

static bool is_step(const System *s, const Edge *e) {
  const Shift *by = &s->shifts.at[e->shift];
  return by->bytes && !by->stride;
}

static void widen_cycles(System *s) {
  Pairs pairs = {0};
  for (vec_each(i, &s->edges)) pairs_add(&pairs, s->edges.at[i].src, s->edges.at[i].dst);
  Lists edges = lists_new(s->nodes, &pairs);
  Scc scc = scc_new(s->nodes, &edges);
  for (vec_each(i, &s->edges)) {
    Edge *e = &s->edges.at[i];
    if (!is_step(s, e) || scc.of[e->dst] != scc.of[e->src]) continue;
    int64_t bytes = s->shifts.at[e->shift].bytes;
    e->shift = system_shift(s, (Shift){0, bytes < 0 ? -bytes : bytes, 0});
  }
  scc_free(&scc);
  lists_free(&edges);
  vec_free(&pairs);
}

// Whether somebody looks at a node: backwards along the edges from all that is used otherwise.
static bool *find_used(const System *s) {
  bool *used = mem_array(s->nodes, sizeof *used);
  Pairs pairs = {0};
  IdVec work = {0};
#define USE(n)                          \
  do {                                  \
    uint32_t n_ = (n);                  \
    if (n_ != NODE_NONE && !used[n_]) { \
      used[n_] = true;                  \
      vec_push(&work, n_);              \
    }                                   \
  } while (0)
  for (set_each(at, &s->queried)) USE(at.id);
  for (vec_each(i, &s->loads)) USE(s->loads.at[i].pointer);
  for (vec_each(i, &s->stores)) {
    USE(s->stores.at[i].pointer);
    USE(s->stores.at[i].value);
  }
  for (vec_each(i, &s->moves)) {
    USE(s->moves.at[i].dst);
    USE(s->moves.at[i].src);
  }
  for (vec_each(i, &s->calls)) USE(s->calls.at[i].callee);
  for (vec_each(i, &s->args)) USE(s->args.at[i]);
  for (vec_each(i, &s->escapes)) USE(s->escapes.at[i]);
  for (vec_each(i, &s->routines)) {
    USE(s->routines.at[i].result);
    for (uint32_t k = 0; k < s->routines.at[i].count; ++k) USE(s->routines.at[i].first + k);
    USE(s->routines.at[i].extra);
  }
  for (vec_each(i, &s->edges)) pairs_add(&pairs, s->edges.at[i].dst, s->edges.at[i].src);
  Lists from = lists_new(s->nodes, &pairs);
  while (work.len) {
    Ids ids = lists_of(&from, vec_pop(&work));
    for (vec_each(i, &ids)) USE(ids.at[i]);
  }
#undef USE
  lists_free(&from);
  vec_free(&pairs);
  vec_free(&work);
  return used;
}

static void drop_unused(System *s) {
  bool *used = find_used(s);
  size_t n = 0;
  for (vec_each(i, &s->edges))
    if (used[s->edges.at[i].dst]) s->edges.at[n++] = s->edges.at[i];
  s->edges.len = n;
  n = 0;
  for (vec_each(i, &s->loads))
    if (used[s->loads.at[i].value]) s->loads.at[n++] = s->loads.at[i];
  s->loads.len = n;
  mem_free(used);
}

void system_finish(System *s) {
  s->routine_of = mem_array(s->objects.len, sizeof *s->routine_of);
  for (vec_each(i, &s->objects)) s->routine_of[i] = NODE_NONE;
  for (vec_each(i, &s->routines)) s->routine_of[s->routines.at[i].object] = (uint32_t)i;
  widen_cycles(s);
  drop_unused(s);
}

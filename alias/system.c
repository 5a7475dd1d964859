#include "system.h"
#include <assert.h>

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
  vec_free(&s->directs);
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
  assert(node < s->nodes && spot.object < s->objects.len);
  Base b = {node, spots_id(s->spots, spot)};
  vec_push(&s->bases, b);
}

static bool is_node(const System *s, uint32_t n) {
  return n < s->nodes || n == NODE_NONE;
}

void system_edge(System *s, uint32_t dst, uint32_t src, uint32_t shift) {
  assert(is_node(s, dst) && is_node(s, src) && shift < s->shifts.len);
  Edge e = {.dst = dst, .src = src, .shift = shift};
  if (dst != NODE_NONE && src != NODE_NONE && (dst != src || shift)) vec_push(&s->edges, e);
}

void system_cross(System *s, uint32_t dst, uint32_t src, uint32_t direct, bool enters) {
  assert(is_node(s, dst) && is_node(s, src) && direct < s->directs.len);
  Edge e = {dst, src, 0, direct + 1, enters};
  if (dst != NODE_NONE && src != NODE_NONE && dst != src) vec_push(&s->edges, e);
}

void system_load(System *s, uint32_t value, uint32_t pointer, int64_t bytes) {
  assert(is_node(s, value) && is_node(s, pointer) && bytes >= 0);
  Access a = {value, pointer, bytes};
  if (value != NODE_NONE && pointer != NODE_NONE) vec_push(&s->loads, a);
}

void system_store(System *s, uint32_t pointer, uint32_t value, int64_t bytes) {
  assert(is_node(s, value) && is_node(s, pointer) && bytes >= 0);
  Access a = {value, pointer, bytes};
  if (value != NODE_NONE && pointer != NODE_NONE) vec_push(&s->stores, a);
}

void system_move(System *s, uint32_t dst, uint32_t src, int64_t bytes) {
  assert(is_node(s, dst) && is_node(s, src) && bytes >= 0);
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

bool system_call_fits(const System *s, const Call *c, const Routine *f) {
  if (c->program && LLVMIsDeclaration(f->function)) return false;
  if (c->limited && f->function != c->only) return false;
  return c->type == NODE_NONE ||
         signature_fits(intern_text(s->types, c->type), intern_text(s->types, f->type));
}

static void check_objects(const System *s) {
  assert(s->sizes.len == s->objects.len && s->objects.at[OBJECT_UNKNOWN].kind == KIND_UNKNOWN);
  for (vec_each(i, &s->objects)) {
    const Object *o = &s->objects.at[i];
    bool bare = o->kind == KIND_UNKNOWN || o->kind == KIND_HIDDEN || o->kind == KIND_MOVE;
    assert(bare == !o->value && (o->kind == KIND_HIDDEN) == (o->name != NULL));
  }
  for (vec_each(i, &s->bases))
    assert(s->bases.at[i].node < s->nodes && s->bases.at[i].spot < spots_count(s->spots));
  for (vec_each(i, &s->escaped)) assert(s->escaped.at[i] < s->objects.len);
}

static void check_flow(const System *s) {
  for (vec_each(i, &s->edges)) {
    Edge e = s->edges.at[i];
    assert(e.dst < s->nodes && e.src < s->nodes && e.shift < s->shifts.len);
    assert(e.dst != e.src || e.shift);
    assert(e.direct <= s->directs.len && (!e.direct || !e.shift));
  }
  for (vec_each(i, &s->loads))
    assert(s->loads.at[i].value < s->nodes && s->loads.at[i].pointer < s->nodes && s->loads.at[i].bytes >= 0);
  for (vec_each(i, &s->stores))
    assert(s->stores.at[i].value < s->nodes && s->stores.at[i].pointer < s->nodes &&
           s->stores.at[i].bytes >= 0);
  for (vec_each(i, &s->escapes)) assert(s->escapes.at[i] < s->nodes);
}

// Each move has an object of its own.
static void check_moves(const System *s) {
  size_t objects = 0;
  for (vec_each(i, &s->objects)) objects += s->objects.at[i].kind == KIND_MOVE;
  assert(objects == s->moves.len);
  for (vec_each(i, &s->moves)) {
    const Move *m = &s->moves.at[i];
    assert(m->dst < s->nodes && m->src < s->nodes && m->bytes > 0);
    assert(m->object < s->objects.len && s->objects.at[m->object].kind == KIND_MOVE);
    assert(!i || s->moves.at[i - 1].object < m->object);
  }
}

static void check_calls(const System *s) {
  for (vec_each(i, &s->calls)) {
    const Call *c = &s->calls.at[i];
    assert(c->callee < s->nodes && is_node(s, c->result));
    assert(c->first <= s->args.len && c->count <= s->args.len - c->first);
    assert(c->type == NODE_NONE || (c->type < intern_count(s->types) && c->call));
  }
  for (vec_each(i, &s->args)) assert(is_node(s, s->args.at[i]));
}

static void check_routines(const System *s) {
  size_t known = 0;
  for (vec_each(i, &s->routines)) {
    const Routine *r = &s->routines.at[i];
    assert(r->extra == r->first + r->count && r->extra < s->nodes && r->result < s->nodes);
    assert(r->object < s->objects.len && r->type < intern_count(s->types));
    const Object *o = &s->objects.at[r->object];
    assert(o->kind == KIND_FUNCTION && o->value == r->function);
    assert(!s->routine_of || s->routine_of[r->object] == i);
  }
  for (size_t i = 0; s->routine_of && i < s->objects.len; ++i) known += s->routine_of[i] != NODE_NONE;
  assert(!s->routine_of || known == s->routines.len);
}

void system_check(const System *s) {
  check_objects(s);
  check_flow(s);
  check_moves(s);
  check_calls(s);
  check_routines(s);
  assert(s->shifts.len == intern_count(s->shift_ids) && !s->shifts.at[0].bytes && !s->shifts.at[0].stride);
  spots_check(s->spots);
  set_check(&s->queried);
  for (set_each(at, &s->queried)) assert(at.id < s->nodes);
}

void system_finish(System *s) {
  assert(!s->routine_of);
  s->routine_of = mem_array(s->objects.len, sizeof *s->routine_of);
  for (vec_each(i, &s->objects)) s->routine_of[i] = NODE_NONE;
  for (vec_each(i, &s->routines)) s->routine_of[s->routines.at[i].object] = (uint32_t)i;
  widen_cycles(s);
  drop_unused(s);
  CHECKED(system_check(s));
}

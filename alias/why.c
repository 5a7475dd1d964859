// The chain of assignments by which an object's address comes to a pointer: a search backwards through the
// constraints, over nodes whose sets hold the object. The shortest chain is told.
#include "internal.h"
#include <assert.h>

typedef enum { BY_COPY, BY_MEMORY, BY_CALL } By;

typedef struct {
  uint32_t from;
  By by;
} Step;

typedef struct {
  const Alias *a;
  uint32_t object;
  LLVMValueRef *values;  // by node of the system: what it belongs to, or NULL
  Lists edges, loads, stores, calls_to, calls_from;
  uint32_t *next;  // by node, towards the pointer; NODE_NONE: not seen
  By *by;
  IdVec work;
} Search;

static bool holds(const Search *s, uint32_t node) {
  for (set_each(at, solution_set(s->a->sol, node)))
    if (spots_at(s->a->sys->spots, at.id).object == s->object) return true;
  return false;
}

static void reach(Search *s, uint32_t node, uint32_t next, By by) {
  if (node >= s->a->sys->nodes || s->next[node] != NODE_NONE || !holds(s, node)) return;
  s->next[node] = next;
  s->by[node] = by;
  vec_push(&s->work, node);
}

static void name_values(Search *s) {
  const Build *b = &s->a->build;
  s->values = mem_array(s->a->sys->nodes, sizeof *s->values);
  for (all_functions(f, b->module)) {
    for (unsigned i = 0; i < LLVMCountParams(f); ++i) {
      uint64_t n;
      if (map_get(b->nodes, map_key(LLVMGetParam(f, i)), &n)) s->values[n] = LLVMGetParam(f, i);
    }
    for (all_blocks(block, f))
      for (all_insts(inst, block)) {
        uint64_t n;
        if (map_get(b->nodes, map_key(inst), &n)) s->values[n] = inst;
        if (LLVMIsAAllocaInst(inst) && map_get(b->variables, map_key(inst), &n)) s->values[n] = inst;
      }
  }
}

// Stores of a value into a variable have no node: the variable has.
static void index_constraints(Search *s) {
  const System *y = s->a->sys;
  Pairs p[5] = {{0}, {0}, {0}, {0}, {0}};
  for (vec_each(i, &y->edges)) pairs_add(&p[0], y->edges.at[i].dst, y->edges.at[i].src);
  for (vec_each(i, &y->loads)) pairs_add(&p[1], y->loads.at[i].value, (uint32_t)i);
  for (vec_each(i, &y->stores))
    for (set_each(at, solution_set(s->a->sol, y->stores.at[i].pointer))) {
      uint32_t o = spots_at(y->spots, at.id).object;
      pairs_add(&p[2], o, (uint32_t)i);
    }
  for (vec_each(i, &s->a->sol->targets)) {
    const Routine *r = &y->routines.at[s->a->sol->targets.at[i].item];
    uint32_t call = s->a->sol->targets.at[i].owner;
    for (uint32_t k = 0; k < y->calls.at[call].count; ++k) {
      uint32_t arg = y->args.at[y->calls.at[call].first + k];
      if (arg != NODE_NONE) pairs_add(&p[3], k < r->count ? r->first + k : r->extra, arg);
    }
    if (y->calls.at[call].result != NODE_NONE) pairs_add(&p[4], y->calls.at[call].result, r->result);
  }
  Lists *lists[] = {&s->edges, &s->loads, &s->stores, &s->calls_to, &s->calls_from};
  for (int i = 0; i < 5; ++i) {
    *lists[i] = lists_new(i == 2 ? s->a->sol->objects : y->nodes, &p[i]);
    vec_free(&p[i]);
  }
}

// What may have been stored where a load looks; what was copied there as memory is looked for where it was
// stored first.
static void through_memory(Search *s, uint32_t node, const Access *load) {
  const System *y = s->a->sys;
  for (set_each(at, solution_set(s->a->sol, load->pointer))) {
    Spot spot = spots_at(y->spots, at.id);
    Ids stores = lists_of(&s->stores, spot.object);
    for (vec_each(i, &stores)) {
      const Access *store = &y->stores.at[stores.at[i]];
      bool meets = false;
      for (set_each(to, solution_set(s->a->sol, store->pointer)))
        meets |= spot_overlaps(spot, load->bytes, spots_at(y->spots, to.id), store->bytes);
      if (meets) reach(s, store->value, node, BY_MEMORY);
    }
  }
}

static bool is_source(const Search *s, uint32_t node) {
  const System *y = s->a->sys;
  for (vec_each(i, &y->bases))
    if (y->bases.at[i].node == node && spots_at(y->spots, y->bases.at[i].spot).object == s->object)
      return true;
  return false;
}

static uint32_t search(Search *s, uint32_t node) {
  reach(s, node, node, BY_COPY);
  for (size_t i = 0; i < s->work.len; ++i) {
    uint32_t n = s->work.at[i];
    if (is_source(s, n)) return n;
    Ids edges = lists_of(&s->edges, n), loads = lists_of(&s->loads, n);
    Ids to = lists_of(&s->calls_to, n), from = lists_of(&s->calls_from, n);
    for (vec_each(k, &edges)) reach(s, edges.at[k], n, BY_COPY);
    for (vec_each(k, &to)) reach(s, to.at[k], n, BY_CALL);
    for (vec_each(k, &from)) reach(s, from.at[k], n, BY_CALL);
    for (vec_each(k, &loads)) through_memory(s, n, &s->a->sys->loads.at[loads.at[k]]);
  }
  return NODE_NONE;
}

static const char *words_of(LLVMValueRef v, By by) {
  if (LLVMIsAArgument(v)) return "is passed as this parameter";
  if (LLVMIsAAllocaInst(v)) return "is stored in this variable";
  if (call_is(v)) return "is returned by this call";
  if (LLVMIsALoadInst(v)) return by == BY_MEMORY ? "is loaded and stored elsewhere" : "is loaded";
  return by == BY_MEMORY ? "is computed and stored" : "is computed";
}

void alias_why(const Alias *a, LLVMValueRef pointer, uint32_t object, AliasWhy *out) {
  assert(pointer && object < a->sol->objects);
  uint64_t node;
  if (!map_get(a->build.nodes, map_key(pointer), &node) || node == NODE_NONE) return;
  Search s = {.a = a, .object = object};
  name_values(&s);
  index_constraints(&s);
  s.next = mem_array(a->sys->nodes, sizeof *s.next);
  s.by = mem_array(a->sys->nodes, sizeof *s.by);
  for (uint32_t i = 0; i < a->sys->nodes; ++i) s.next[i] = NODE_NONE;
  for (uint32_t n = search(&s, (uint32_t)node); n != NODE_NONE; n = s.next[n]) {
    LLVMValueRef v = s.values[n];
    bool same = out->len && vec_last(out).value == v;
    if (v && !same) {
      AliasStep step = {v, words_of(v, s.by[n])};
      vec_push(out, step);
    }
    if (n == node) break;
  }
  Lists *lists[] = {&s.edges, &s.loads, &s.stores, &s.calls_to, &s.calls_from};
  for (int i = 0; i < 5; ++i) lists_free(lists[i]);
  mem_free(s.values);
  mem_free(s.next);
  mem_free(s.by);
  vec_free(&s.work);
}

// Cycles of copies, by Tarjan's algorithm without recursion, over the representatives. All nodes of a cycle
// have the same set in the end, so they become one.
#include "solving.h"
#include <assert.h>

static void append_ids(IdVec *to, IdVec *from) {
  vec_append(to, from->at, from->len);
  vec_free(from);
}

static void join_nodes(Solving *s, uint32_t into, uint32_t n) {
  Node *a = &s->nodes.at[into], *b = &s->nodes.at[n];
  assert(into != n && s->same.at[into] == into && s->same.at[n] == n);
  append_ids(&s->copies.at[into].next, &s->copies.at[n].next);
  append_ids(&a->shifts, &b->shifts);
  append_ids(&a->loads, &b->loads);
  append_ids(&a->stores, &b->stores);
  append_ids(&a->moves_from, &b->moves_from);
  append_ids(&a->moves_to, &b->moves_to);
  append_ids(&a->calls, &b->calls);
  s->copies.at[into].squeezed = 0;
  s->same.at[n] = into;
  if (s->leaks.at[n]) leak(s, into);
  s->r->merged++;
}

// What one member had and another had not is new to the constraints of the other.
static void join_sets(Solving *s, const uint32_t *members, size_t count) {
  uint32_t into = members[0];
  Set all = {0};
  bool differ = false;
  for (size_t i = 0; i < count; ++i) set_merge(&all, &s->sets.at[members[i]], NULL);
  for (size_t i = 0; i < count; ++i) differ |= !set_equal(&all, &s->sets.at[members[i]]);
  for (size_t i = 0; i < count; ++i) {
    if (!differ) set_merge(&all, &s->fresh.at[members[i]], NULL);
    if (!differ && i) set_merge(&s->fresh.at[into], &s->fresh.at[members[i]], NULL);
    set_free(&s->sets.at[members[i]]);
    if (differ || i) set_free(&s->fresh.at[members[i]]);
  }
  if (differ) set_copy(&s->fresh.at[into], &all);
  s->sets.at[into] = all;
}

static void squeeze(Solving *s, uint32_t n) {
  Copies *c = &s->copies.at[n];
  IdVec *next = &c->next;
  if (next->len <= c->squeezed + c->squeezed / 2) return;
  for (vec_each(i, next)) next->at[i] = find(s, next->at[i]);
  ids_sort(next->at, next->len);
  size_t len = 0;
  for (vec_each(i, next))
    if (next->at[i] != n && (!len || next->at[len - 1] != next->at[i])) next->at[len++] = next->at[i];
  next->len = len;
  c->squeezed = len;
}

typedef struct {
  uint32_t node, edge;
} Frame;

typedef struct {
  uint32_t *seen, *low;
  uint32_t clock;
  IdVec stack, order;  // order: of the representatives, sources last
  Vec(Frame) frames;
  bool *open;
} Search;

static void search_close(Solving *s, Search *c, uint32_t n) {
  size_t top = c->stack.len;
  while (c->stack.at[top - 1] != n) --top;
  uint32_t *members = c->stack.at + top - 1;
  size_t count = c->stack.len - top + 1;
  for (size_t i = 0; i < count; ++i) c->open[members[i]] = false;
  if (count > 1) {
    join_sets(s, members, count);
    for (size_t i = 1; i < count; ++i) join_nodes(s, members[0], members[i]);
    squeeze(s, members[0]);
  }
  vec_push(&c->order, members[0]);
  c->stack.len = top - 1;
}

static void search_enter(Solving *s, Search *c, uint32_t n) {
  squeeze(s, n);
  c->seen[n] = c->low[n] = ++c->clock;
  c->open[n] = true;
  vec_push(&c->stack, n);
  Frame f = {n, 0};
  vec_push(&c->frames, f);
}

static void search_from(Solving *s, Search *c, uint32_t root) {
  search_enter(s, c, root);
  while (c->frames.len) {
    Frame *f = &vec_last(&c->frames);
    uint32_t n = f->node;
    if (f->edge < s->copies.at[n].next.len) {
      uint32_t to = find(s, s->copies.at[n].next.at[f->edge++]);
      if (!c->seen[to])
        search_enter(s, c, to);
      else if (c->open[to] && c->seen[to] < c->low[n])
        c->low[n] = c->seen[to];
      continue;
    }
    c->frames.len--;
    uint32_t low = c->low[n];
    if (low == c->seen[n]) search_close(s, c, n);
    if (c->frames.len && c->low[vec_last(&c->frames).node] > low) c->low[vec_last(&c->frames).node] = low;
  }
}

void solving_collapse(Solving *s) {
  size_t count = s->nodes.len;
  Search c = {mem_array(count, sizeof(uint32_t)), mem_array(count, sizeof(uint32_t)), 0, {0}, {0}, {0},
              mem_array(count, sizeof(bool))};
  for (uint32_t n = 0; n < count; ++n)
    if (s->same.at[n] == n && !c.seen[n]) search_from(s, &c, n);
  assert(!c.stack.len && !c.frames.len);
  memset(s->dirty.at, 0, s->dirty.len * sizeof *s->dirty.at);
  s->at_rank.len = 0;
  for (size_t i = c.order.len; i-- > 0;) {
    s->rank.at[c.order.at[i]] = (uint32_t)s->at_rank.len;
    vec_push(&s->at_rank, c.order.at[i]);
  }
  for (vec_each(i, &s->at_rank))
    if (has_unknown(&s->sets.at[s->at_rank.at[i]])) hide(s, &s->sets.at[s->at_rank.at[i]]);
  for (vec_each(i, &s->at_rank))
    if (s->fresh.at[s->at_rank.at[i]].len) mark_dirty(s, s->at_rank.at[i]);
  s->edges += s->added;
  s->added = 0;
  vec_free(&c.stack);
  vec_free(&c.order);
  vec_free(&c.frames);
  mem_free(c.seen);
  mem_free(c.low);
  mem_free(c.open);
  CHECKED(solving_check_order(s));
  CHECKED(solving_check(s));
}

static uint32_t root_of(const Solving *s, uint32_t n) {
  while (s->same.at[n] != n) n = s->same.at[n];
  return n;
}

void solving_check_order(const Solving *s) {
  for (vec_each(i, &s->at_rank)) {
    uint32_t n = s->at_rank.at[i];
    const IdVec *next = &s->copies.at[n].next;
    for (vec_each(k, next)) {
      uint32_t to = root_of(s, next->at[k]);
      assert(to == n || s->rank.at[to] > i);
    }
  }
}

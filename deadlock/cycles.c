// The graph of what is wanted by whom has an edge from each lock that a thread has to the one that it wants.
// Only its strongly connected parts hold cycles: of most programs nothing is left behind that. In them, depth
// first, by increasing length; each cycle is found from its wish with the smallest number.
#include "cycles.h"
#include <assert.h>

typedef struct {
  CycleSearch *s;
  const Wishes *w;
  Scc scc;
  Lists havers;  // by node: wishes of threads that have it, as numbers in `places`
  Vec(CycleStep) places;
  Cycle path;
  size_t length;
  bool deeper;  // some path could have gone on
  bool over;
} Search;

static const Wish *wish_at(const Search *x, uint32_t i) {
  return &x->w->all.at[i];
}
static const WishHold *hold_at(const Search *x, const CycleStep *c) {
  return &x->w->holds.at[wish_at(x, c->wish)->first + c->hold];
}

static bool inside(const Search *x, const Wish *w, const WishHold *h) {
  return x->scc.of[w->node] == x->scc.of[h->node] && x->scc.cyclic[x->scc.of[w->node]];
}

static void make_graph(Search *x) {
  Pairs edges = {0}, havers = {0};
  for (vec_each(i, &x->w->all))
    for (uint32_t k = 0; k < wish_at(x, (uint32_t)i)->count; ++k) {
      const Wish *w = wish_at(x, (uint32_t)i);
      pairs_add(&edges, x->w->holds.at[w->first + k].node, w->node);
    }
  Lists graph = lists_new(x->w->nodes, &edges);
  x->scc = scc_new(x->w->nodes, &graph);
  for (vec_each(i, &x->w->all))
    for (uint32_t k = 0; k < wish_at(x, (uint32_t)i)->count; ++k) {
      const Wish *w = wish_at(x, (uint32_t)i);
      const WishHold *h = &x->w->holds.at[w->first + k];
      if (!inside(x, w, h)) continue;
      pairs_add(&havers, h->node, (uint32_t)x->places.len);
      vec_push(&x->places, ((CycleStep){(uint32_t)i, k}));
    }
  x->havers = lists_new(x->w->nodes, &havers);
  lists_free(&graph);
  vec_free(&edges), vec_free(&havers);
}

static bool fits(const Search *x, const Wish *w) {
  for (vec_each(i, &x->path)) {
    const Wish *other = wish_at(x, x->path.at[i].wish);
    if (other->thread == w->thread || wish_gate(x->w, other, w)) return false;
  }
  return true;
}

// The first one has what the last one wants.
static void close_ring(Search *x) {
  const Wish *last = wish_at(x, vec_last(&x->path).wish), *first = wish_at(x, x->path.at[0].wish);
  for (uint32_t k = 0; k < first->count; ++k) {
    if (!wish_needs(last, &x->w->holds.at[first->first + k])) continue;
    x->path.at[0].hold = k;
    x->s->found(x->s->who, &x->path);
    return;
  }
}

static bool go_on(Search *x) {
  if (++x->s->steps > x->s->limit) {
    limit_reached(LIMIT_OF_DEADLOCK_STEPS);
    x->over = true;
  }
  if (x->s->stop && !(x->s->steps % 4096) && x->s->stop()) x->over = true;
  return !x->over;
}

// As deep as the length goes; deadlocks have few threads.
static void extend(Search *x) {
  const Wish *last = wish_at(x, vec_last(&x->path).wish);
  Ids next = lists_of(&x->havers, last->node);
  if (x->path.len == x->length) {
    x->deeper = true;
    close_ring(x);
    return;
  }
  for (size_t i = 0; i < next.len && go_on(x); ++i) {
    CycleStep c = x->places.at[next.at[i]];
    if (c.wish <= x->path.at[0].wish || !wish_needs(last, hold_at(x, &c)) || !fits(x, wish_at(x, c.wish)))
      continue;
    vec_push(&x->path, c);
    extend(x);
    (void)vec_pop(&x->path);
  }
}

static bool may_begin(const Search *x, const Wish *w) {
  bool may = false;
  for (uint32_t k = 0; k < w->count; ++k) may |= inside(x, w, &x->w->holds.at[w->first + k]);
  return may;
}

bool cycles_find(CycleSearch *s) {
  Search x = {.s = s, .w = s->wishes};
  make_graph(&x);
  for (x.length = 2, x.deeper = true; x.deeper && !x.over && x.length <= LIMIT_DEADLOCK_THREADS; ++x.length) {
    x.deeper = false;
    for (uint32_t i = 0; i < x.w->all.len && !x.over; ++i) {
      if (!may_begin(&x, wish_at(&x, i))) continue;
      vec_push(&x.path, ((CycleStep){i, 0}));
      extend(&x);
      x.path.len = 0;
    }
  }
  scc_free(&x.scc);
  lists_free(&x.havers);
  vec_free(&x.places), vec_free(&x.path);
  return !x.over;
}

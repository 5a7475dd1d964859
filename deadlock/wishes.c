// Wishes are found by a hash of what makes them different; a program that does the same a million times has
// few.
#include "wishes.h"
#include <assert.h>

typedef struct {
  const Order *o;
  const Schedule *c;
  const bool *endless;
  Holders *held;
  Wishes *out;
  Map *known;    // by hash: a wish + 1, the first of a chain
  IdVec next;    // by wish: the next of the chain + 1
  bool *joined;  // by thread: somebody who has something else waits for its end
  Vec(WishHold) has;
} Finder;

// Threads that others join while they have locks, or are joined themselves. The rest can keep nobody waiting.
static void find_joined(Finder *f) {
  Holders *held = held_new(f->c);
  for (uint32_t i = 0; i < f->c->events.len; ++i) {
    const Event *e = &f->c->events.at[i];
    held_pass(held, i);
    if (e->kind == SYNC_JOIN && e->other != SIGMA_NONE && (e->thread || held_by(held, e->thread)->len))
      f->joined[e->other] = true;
  }
  held_free(held);
}

static void take_has(Finder *f, uint32_t thread, uint32_t but) {
  const HeldLocks *all = held_by(f->held, thread);
  f->has.len = 0;
  for (vec_each(i, all))
    if (all->at[i].object != but)
      vec_push(&f->has, ((WishHold){all->at[i].object, all->at[i].since, all->at[i].shared}));
  uint32_t self = (uint32_t)f->c->objects.len + thread;
  if (f->joined[thread] && self != but) vec_push(&f->has, ((WishHold){self, SIGMA_NONE, false}));
}

static uint32_t site_of(const Finder *f, const WishHold *h) {
  return h->since == SIGMA_NONE ? SIGMA_NONE : f->c->events.at[h->since].site;
}

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 29;
}

// The calls around count too: the lock may be taken in a function that does nothing else.
static uint64_t hash_of(const Finder *f, const Wish *w) {
  uint64_t h = mix(mix(w->thread, w->node), (uint64_t)w->site << 1 | w->shared);
  for (vec_each(i, &f->has))
    h = mix(mix(h, f->has.at[i].node), (uint64_t)site_of(f, &f->has.at[i]) << 1 | f->has.at[i].shared);
  return h;
}

static bool is_same(const Finder *f, const Wish *a, const Wish *b) {
  if (a->thread != b->thread || a->node != b->node || a->shared != b->shared || a->site != b->site ||
      a->count != f->has.len)
    return false;
  for (uint32_t i = 0; i < a->count; ++i) {
    const WishHold *x = &f->out->holds.at[a->first + i], *y = &f->has.at[i];
    if (x->node != y->node || x->shared != y->shared || site_of(f, x) != site_of(f, y)) return false;
  }
  return true;
}

static Wish *wish_of(Finder *f, Wish w) {
  uint64_t hash = hash_of(f, &w), first = map_or(f->known, hash, 0);
  for (uint64_t i = first; i; i = f->next.at[i - 1])
    if (is_same(f, &f->out->all.at[i - 1], &w)) return &f->out->all.at[i - 1];
  w.first = (uint32_t)f->out->holds.len, w.count = (uint32_t)f->has.len;
  vec_append(&f->out->holds, f->has.at, f->has.len);
  vec_push(&f->out->all, w);
  vec_push(&f->next, (uint32_t)first);
  map_put(f->known, hash, f->out->all.len);
  return &vec_last(&f->out->all);
}

// What the event waits for, before it has it. False: it does not wait, or not without end.
static bool wants(const Finder *f, const Event *e, Wish *w) {
  uint32_t lock;
  bool joins = e->kind == SYNC_JOIN && e->other != SIGMA_NONE && e->outcome == SYNC_OK;
  bool takes = held_takes(e, &lock);
  *w = (Wish){.thread = e->thread, .site = e->site, .shared = e->kind == SYNC_RDLOCK};
  if (joins) w->node = (uint32_t)f->c->objects.len + e->other;
  if (takes) w->node = lock;
  if (!joins && !takes) return false;
  if (takes && held_as(f->held, e->thread, lock)) return false;  // it has it already
  if (takes && f->c->objects.at[lock].shared) return false;      // other processes may have it
  return f->endless[e->site] || e->kind == SYNC_WAIT;
}

static void note(Finder *f, uint32_t i) {
  const Event *e = &f->c->events.at[i];
  Wish w;
  if (!wants(f, e, &w)) return;
  take_has(f, e->thread, w.node);
  if (!f->has.len) return;
  ++f->out->waits;
  vec_push(&wish_of(f, w)->events, i);
}

static void note_release(Finder *f, uint32_t i) {
  const Event *e = &f->c->events.at[i];
  uint32_t lock;
  if (held_takes(e, &lock) && held_as(f->held, e->thread, lock)) f->out->release[i] = WISH_AGAIN;
  if (!held_leaves(e, &lock)) return;
  const HeldLock *l = held_as(f->held, e->thread, lock);
  if (l && l->depth == 1) f->out->release[l->since] = i;
}

void wishes_find(const Order *o, const bool *endless, Wishes *out) {
  const Schedule *c = order_schedule(o);
  Finder f = {.o = o, .c = c, .endless = endless, .out = out};
  f.held = held_new(c), f.known = map_new(), f.joined = mem_array(c->threads, sizeof *f.joined);
  *out = (Wishes){.nodes = (uint32_t)c->objects.len + c->threads};
  out->release = mem_array(c->events.len + 1, sizeof *out->release);
  memset(out->release, 0xff, c->events.len * sizeof *out->release);
  find_joined(&f);
  for (uint32_t i = 0; i < c->events.len; ++i) {
    note(&f, i);
    note_release(&f, i);
    held_pass(f.held, i);
  }
  held_free(f.held), map_free(f.known);
  vec_free(&f.next), vec_free(&f.has);
  mem_free(f.joined);
}

void wishes_free(Wishes *w) {
  for (vec_each(i, &w->all)) vec_free(&w->all.at[i].events);
  vec_free(&w->all), vec_free(&w->holds);
  mem_free(w->release);
}

bool wish_needs(const Wish *w, const WishHold *h) {
  return w->node == h->node && held_conflict(w->shared, h->shared);
}

bool wish_gate(const Wishes *all, const Wish *a, const Wish *b) {
  for (uint32_t i = 0; i < a->count; ++i)
    for (uint32_t k = 0; k < b->count; ++k) {
      const WishHold *x = &all->holds.at[a->first + i], *y = &all->holds.at[b->first + k];
      if (x->node == y->node && held_conflict(x->shared, y->shared)) return true;
    }
  return false;
}

#include "held.h"
#include <assert.h>

struct Holders {
  const Schedule *c;
  HeldLocks *of;  // by thread
};

Holders *held_new(const Schedule *c) {
  Holders *h = mem_alloc(sizeof *h);
  h->c = c;
  h->of = mem_array(c->threads, sizeof *h->of);
  return h;
}

void held_free(Holders *h) {
  if (!h) return;
  for (uint32_t t = 0; t < h->c->threads; ++t) vec_free(&h->of[t]);
  mem_free(h->of);
  mem_free(h);
}

const HeldLocks *held_by(const Holders *h, uint32_t thread) {
  assert(thread < h->c->threads);
  return &h->of[thread];
}

static HeldLock *find(Holders *h, uint32_t thread, uint32_t object) {
  HeldLocks *all = &h->of[thread];
  for (size_t i = all->len; i--;)
    if (all->at[i].object == object) return &all->at[i];
  return NULL;
}

const HeldLock *held_as(const Holders *h, uint32_t thread, uint32_t object) {
  assert(thread < h->c->threads);
  return find((Holders *)(uintptr_t)h, thread, object);
}

bool held_takes(const Event *e, uint32_t *object) {
  bool departs = e->kind == SYNC_WAIT && e->phase == EVENT_DEPART && e->wake != EVENT_ENDED;
  *object = departs ? e->other : e->object;
  if (departs) return e->outcome != SYNC_NOTRECOVERABLE;
  return (e->kind == SYNC_LOCK || e->kind == SYNC_RDLOCK) && e->outcome & (SYNC_OK | SYNC_OWNERDEAD);
}

bool held_leaves(const Event *e, uint32_t *object) {
  bool arrives = e->kind == SYNC_WAIT && e->phase == EVENT_ARRIVE;
  *object = arrives ? e->other : e->object;
  return (arrives || e->kind == SYNC_UNLOCK) && e->outcome == SYNC_OK;
}

static void leave(Holders *h, uint32_t thread, uint32_t object) {
  HeldLock *l = find(h, thread, object);
  HeldLocks *all = &h->of[thread];
  if (!l || --l->depth) return;  // NULL: code that is not recorded took it
  size_t at = (size_t)(l - all->at);
  memmove(l, l + 1, (--all->len - at) * sizeof *l);
}

void held_pass(Holders *h, uint32_t event) {
  assert(event < h->c->events.len);
  const Event *e = &h->c->events.at[event];
  uint32_t object;
  if (held_leaves(e, &object)) leave(h, e->thread, object);
  if (!held_takes(e, &object)) return;
  HeldLock *l = find(h, e->thread, object);
  if (l)
    ++l->depth;
  else
    vec_push(&h->of[e->thread], ((HeldLock){object, event, 1, e->kind == SYNC_RDLOCK}));
}

#include "reach.h"
#include <assert.h>
#include "wishes.h"

// The last event of a thread that took a lock.
typedef struct {
  uint32_t thread, event;
} Taker;
typedef Vec(Taker) Takers;

// Of a semaphore: the posts of the run in order, and how many are wanted. A wait takes what any of them gave.
typedef struct {
  IdVec posts;
  uint32_t taken, wanted;
} Posts;

struct Reach {
  const Order *o;
  const Schedule *c;
  const Sure *sure;
  const uint32_t *release;
  uint32_t *upto, *wanted;  // by thread
  IdVec open;               // threads of which more is wanted
  Takers *takers;           // by object
  IdVec touched;            // objects with takers
  Posts *posts;             // by object
};

Reach *reach_new(const Order *o, const Sure *sure, const uint32_t *release) {
  Reach *r = mem_alloc(sizeof *r);
  const Schedule *c = r->c = order_schedule(o);
  r->o = o, r->sure = sure, r->release = release;
  r->upto = mem_array(c->threads, sizeof *r->upto), r->wanted = mem_array(c->threads, sizeof *r->wanted);
  r->takers = mem_array(c->objects.len + 1, sizeof *r->takers);
  r->posts = mem_array(c->objects.len + 1, sizeof *r->posts);
  for (uint32_t i = 0; i < c->events.len; ++i)
    if (c->events.at[i].kind == SYNC_POST && c->events.at[i].outcome == SYNC_OK)
      vec_push(&r->posts[c->events.at[i].object].posts, i);
  return r;
}

void reach_free(Reach *r) {
  if (!r) return;
  for (vec_each(i, &r->c->objects)) vec_free(&r->takers[i]), vec_free(&r->posts[i].posts);
  mem_free(r->posts);
  vec_free(&r->open), vec_free(&r->touched);
  mem_free(r->upto), mem_free(r->wanted), mem_free(r->takers);
  mem_free(r);
}

void reach_forget(Reach *r) {
  assert(!r->open.len);
  memset(r->upto, 0, r->c->threads * sizeof *r->upto);
  memset(r->wanted, 0, r->c->threads * sizeof *r->wanted);
  for (vec_each(i, &r->touched)) r->takers[r->touched.at[i]].len = 0;
  r->touched.len = 0;
  for (vec_each(i, &r->c->objects)) r->posts[i].taken = r->posts[i].wanted = 0;
}

static void want(Reach *r, uint32_t thread, uint32_t upto) {
  if (upto <= r->wanted[thread]) return;
  if (r->wanted[thread] == r->upto[thread]) vec_push(&r->open, thread);
  r->wanted[thread] = upto;
}

static void want_event(Reach *r, uint32_t event) {
  if (event != SIGMA_NONE) want(r, r->c->events.at[event].thread, order_position(r->o, event) + 1);
}

static bool reads(const Reach *r, uint32_t event) {
  return r->c->events.at[event].kind == SYNC_RDLOCK;
}

// Of two that exclude each other the earlier one has given the lock back.
static void take(Reach *r, uint32_t lock, uint32_t event) {
  Takers *all = &r->takers[lock];
  uint32_t thread = r->c->events.at[event].thread;
  Taker *mine = NULL;
  if (r->release[event] == WISH_AGAIN) return;
  if (!all->len) vec_push(&r->touched, lock);
  for (vec_each(i, all)) {
    Taker *t = &all->at[i];
    if (t->thread == thread)
      mine = t;
    else if (held_conflict(reads(r, event), reads(r, t->event)))
      want_event(r, r->release[event < t->event ? event : t->event]);
  }
  if (mine)
    mine->event = event;
  else
    vec_push(all, ((Taker){thread, event}));
}

static void want_arrivals(Reach *r, uint32_t event) {
  const uint32_t *all;
  uint32_t generation = order_generation(r->o, event);
  if (generation == SIGMA_NONE) return;
  for (size_t i = 0, n = order_arrivals(r->o, generation, &all); i < n; ++i) want_event(r, all[i]);
}

static void acquire(Reach *r, const Event *e) {
  const SigmaObject *o = &r->c->objects.at[e->object];
  Posts *p = &r->posts[e->object];
  if (e->outcome != SYNC_OK || e->wake == EVENT_CANCELLED || !o->counted) return;
  uint32_t needed = ++p->taken > o->amount ? p->taken - o->amount : 0;
  while (p->wanted < needed && p->wanted < p->posts.len) want_event(r, p->posts.at[p->wanted++]);
}

static void pass(Reach *r, uint32_t event) {
  const Event *e = &r->c->events.at[event];
  uint32_t lock;
  want_event(r, sure_need(r->sure, event));
  if (e->kind == SYNC_BARRIER && e->phase == EVENT_DEPART) want_arrivals(r, event);
  if (e->kind == SYNC_ACQUIRE) acquire(r, e);
  if (held_takes(e, &lock)) take(r, lock, event);
}

void reach_add(Reach *r, uint32_t thread, uint32_t upto) {
  want(r, thread, upto);
  while (r->open.len) {
    uint32_t t = vec_pop(&r->open);
    while (r->upto[t] < r->wanted[t]) {
      uint32_t at = r->upto[t]++;
      assert(at < order_count(r->o, t));
      pass(r, order_event(r->o, t, at));
    }
  }
}

const uint32_t *reach_upto(const Reach *r) {
  return r->upto;
}

// One pass over the events. The clocks share what they have in common (sigma/clock), so that this stays near
// linear.
#include "sure.h"
#include <assert.h>

struct Sure {
  const Order *o;
  const Schedule *c;
  Clocks *clocks;
  uint32_t *at;    // by event: the clock behind it
  uint32_t *need;  // by event
  // On the way, by thread:
  uint32_t *now, *begin, *cancel;
};

// Of a semaphore: who posts and who waits, if it is always the same one; its posts in order.
typedef struct {
  uint32_t poster, waiter, taken;
  bool many;
  IdVec posts;
} Pass;

typedef struct {
  Sure *s;
  Pass *passes;      // by object
  uint32_t *before;  // by object: the last event of a once flag, or of something that is not modelled
  uint32_t *owner;   // by object: the event that took the lock last
  uint32_t created;  // the create before
} Walk;

static uint32_t *nothing(size_t n) {
  uint32_t *all = mem_array(n + 1, sizeof *all);
  memset(all, 0xff, n * sizeof *all);
  return all;
}

static void see(Sure *s, uint32_t event, uint32_t other) {
  if (other == SIGMA_NONE) return;
  uint32_t t = s->c->events.at[event].thread, from = s->c->events.at[other].thread;
  s->now[t] = clock_join(s->clocks, s->now[t], s->at[other], from, order_position(s->o, other) + 1);
}

static void see_arrivals(Sure *s, uint32_t event) {
  const uint32_t *all;
  uint32_t generation = order_generation(s->o, event);
  if (generation == SIGMA_NONE) return;
  for (size_t i = 0, n = order_arrivals(s->o, generation, &all); i < n; ++i)
    if (all[i] < event) see(s, event, all[i]);
}

static uint32_t last_of(const Sure *s, uint32_t thread) {
  uint32_t n = order_count(s->o, thread);
  return n ? order_event(s->o, thread, n - 1) : SIGMA_NONE;
}

static void learn_pass(Pass *p, const Event *e) {
  uint32_t *who = e->kind == SYNC_POST ? &p->poster : &p->waiter;
  if (*who == SIGMA_NONE) *who = e->thread;
  p->many |= *who != e->thread || e->outcome != SYNC_OK;
}

static Pass *passes_new(const Schedule *c) {
  Pass *all = mem_array(c->objects.len + 1, sizeof *all);
  for (vec_each(i, &c->objects))
    all[i].poster = all[i].waiter = SIGMA_NONE,
    all[i].many = !c->objects.at[i].counted || c->objects.at[i].shared;
  for (vec_each(i, &c->events)) {
    const Event *e = &c->events.at[i];
    if (e->kind == SYNC_POST || e->kind == SYNC_ACQUIRE) learn_pass(&all[e->object], e);
  }
  return all;
}

// In the recorded order the k-th wait takes what the k-th post gave; with one thread on each side in any
// order.
static void pass(Walk *w, uint32_t i, const Event *e) {
  Pass *p = &w->passes[e->object];
  if (e->outcome != SYNC_OK || e->wake == EVENT_CANCELLED) return;
  if (e->kind == SYNC_POST) {
    vec_push(&p->posts, i);
    return;
  }
  uint32_t amount = w->s->c->objects.at[e->object].amount, k = p->taken++;
  if (k < amount || k - amount >= p->posts.len) return;
  if (!p->many) see(w->s, i, p->posts.at[k - amount]);
}

static void thread_event(Walk *w, uint32_t i, const Event *e) {
  Sure *s = w->s;
  if (e->kind == SYNC_ENTER) s->need[i] = s->begin[e->thread], see(s, i, s->begin[e->thread]);
  if (e->kind == SYNC_CREATE && e->other != SIGMA_NONE)
    s->begin[e->other] = i, s->need[i] = w->created, w->created = i;
  if (e->kind == SYNC_JOIN && e->outcome == SYNC_OK && e->wake != EVENT_CANCELLED && e->other != SIGMA_NONE)
    s->need[i] = last_of(s, e->other), see(s, i, s->need[i]);
  if (e->kind == SYNC_CANCEL && e->other != SIGMA_NONE && s->cancel[e->other] == SIGMA_NONE)
    s->cancel[e->other] = i;
}

static void in_turn(Walk *w, uint32_t i, const Event *e) {
  w->s->need[i] = w->before[e->object];
  w->before[e->object] = i;
}

static void step(Walk *w, uint32_t i) {
  Sure *s = w->s;
  const Event *e = &s->c->events.at[i];
  uint32_t lock;
  thread_event(w, i, e);
  if (e->kind == SYNC_BARRIER && e->phase == EVENT_DEPART) see_arrivals(s, i);
  if (e->kind == SYNC_POST || e->kind == SYNC_ACQUIRE) pass(w, i, e);
  if (e->kind == SYNC_WAIT && e->phase == EVENT_DEPART) s->need[i] = order_waker(s->o, i);
  bool once = e->kind >= SYNC_ONCE && e->kind <= SYNC_ONCE_ABORT;
  if (once) see(s, i, w->before[e->object]);
  if (once || (e->kind == SYNC_UNMODELLED && e->object != SIGMA_NONE)) in_turn(w, i, e);
  if ((e->kind == SYNC_LOCK || e->kind == SYNC_RDLOCK) && e->outcome & (SYNC_BUSY | SYNC_TIMEDOUT))
    s->need[i] = w->owner[e->object];
  if (held_takes(e, &lock) && e->kind != SYNC_WAIT) w->owner[lock] = i;
  if (e->wake == EVENT_CANCELLED) s->need[i] = s->cancel[e->thread];
  s->at[i] = s->now[e->thread];
  clocks_keep(s->clocks);
}

Sure *sure_new(const Order *o) {
  Sure *s = mem_alloc(sizeof *s);
  const Schedule *c = s->c = order_schedule(o);
  Walk w = {.s = s, .created = SIGMA_NONE};
  s->o = o, s->clocks = clocks_new(c->threads);
  s->at = mem_array(c->events.len + 1, sizeof *s->at), s->need = nothing(c->events.len);
  s->now = mem_array(c->threads, sizeof *s->now);
  s->begin = nothing(c->threads), s->cancel = nothing(c->threads);
  w.passes = passes_new(c), w.before = nothing(c->objects.len), w.owner = nothing(c->objects.len);
  for (uint32_t i = 0; i < c->events.len; ++i) step(&w, i);
  for (vec_each(i, &c->objects)) vec_free(&w.passes[i].posts);
  mem_free(w.passes), mem_free(w.before), mem_free(w.owner);
  clocks_finish(s->clocks);
  return s;
}

void sure_free(Sure *s) {
  if (!s) return;
  clocks_free(s->clocks);
  mem_free(s->at), mem_free(s->need), mem_free(s->now), mem_free(s->begin), mem_free(s->cancel);
  mem_free(s);
}

uint32_t sure_known(const Sure *s, uint32_t event, uint32_t thread) {
  const Event *e = &s->c->events.at[event];
  uint32_t at = order_position(s->o, event);
  assert(thread < s->c->threads);
  if (thread == e->thread) return at;
  return at ? clock_of(s->clocks, s->at[order_event(s->o, e->thread, at - 1)], thread) : 0;
}

uint32_t sure_need(const Sure *s, uint32_t event) {
  return s->need[event];
}

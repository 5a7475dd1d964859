// Who is where in its stream.
#include <stdio.h>
#include "rolls.h"

HIDDEN Roll roll;
HIDDEN _Thread_local RollCursor *roll_self;
_Thread_local uint32_t rt_roll_stack;
static _Thread_local uint32_t aside;
// Where a cursor stands that is set aside: no operation has this site.
static const RollSlot nowhere = {RT_NO_SITE, 0};

static bool make_ring(RollCursor *c) {
  const RtRolled *r = roll.table;
  size_t ring = (ROLL_AHEAD + 1) * roll.stride;
  char *memory = enf_memory(ring + (r->contexts + (size_t)r->threads) * sizeof(uint32_t));
  if (!memory) return false;
  rolled_begin(&c->reader, r, c->thread);
  c->reader.guess.follows = (uint32_t *)(void *)(memory + ring);
  c->reader.guess.needs = c->reader.guess.follows + r->contexts;
  c->ring = (RollSlot *)(void *)memory;
  c->end = c->ring;
  atomic_store(&c->next, c->ring);
  return true;
}

static void fill(RollSlot *s, const RollCursor *c, const RolledEvent *e) {
  const RtRolledContext *x = &rolled_contexts(roll.table)[e->context];
  RtNode *n = (RtNode *)(void *)(s + 1);
  s->site = x->site, s->stack = x->stack;
  n->thread = c->thread, n->position = n->before = c->position;
  n->object = e->object, n->mutex = e->mutex, n->outcome = e->outcome, n->place = e->context;
  n->round = e->round, n->waits = e->waits, n->waker = e->waker;
  n->depart = NULL, n->code = n->function = NULL;
}

static bool departs(const RolledEvent *e) {
  uint32_t shape = rolled_contexts(roll.table)[e->context].shape;
  return shape == RT_ROLLED_WAKE || shape == RT_ROLLED_DEPART;
}
static bool arrives(const RolledEvent *e) {
  uint32_t shape = rolled_contexts(roll.table)[e->context].shape;
  return shape == RT_ROLLED_WAIT || shape == RT_ROLLED_ARRIVE;
}

// An arrival and its departure are decoded together.
static bool decode(RollCursor *c) {
  RollSlot *s = c->ring;
  RtNode *arrival = NULL;
  for (int i = 0; (i < ROLL_AHEAD || (arrival && i == ROLL_AHEAD)) && c->position < c->last; ++i) {
    RtNode *n = (RtNode *)(void *)(s + 1);
    RolledEvent e;
    if (!rolled_next(&c->reader, roll.table, &e, n->wait)) return false;
    fill(s, c, &e);
    if (arrival && departs(&e)) arrival->depart = n;
    arrival = arrives(&e) ? n : NULL;
    s = (RollSlot *)(void *)((char *)s + roll.stride);
    ++c->position;
  }
  c->end = s;
  atomic_store(&c->next, c->ring);
  return true;
}

HIDDEN const RollSlot *roll_next(RollCursor *c) {
  const RollSlot *s = atomic_load_explicit(&c->next, memory_order_relaxed);
  if (s != c->end) return s;
  if (c->position == c->last) return NULL;
  if (decode(c)) return c->ring;
  enf_thread_seen(c->thread, "a damaged table of the schedule");
  c->last = c->position;
  return NULL;
}

HIDDEN void roll_pass(const RtNode *n) {
  RollCursor *c = roll_self;
  if (n->depart) atomic_store_explicit(&c->next, roll_after(atomic_load(&c->next)), memory_order_relaxed);
}

HIDDEN RollCursor *roll_open(void) {
  if (!roll.table || !enf_self || aside || enf_is_child()) return NULL;
  enf_settle();
  if (!enf_on()) return NULL;
  RollCursor *c = &roll.cursors[enf_self->number];
  if (!c->ring && !make_ring(c)) {
    enf_thread_seen(c->thread, "too little memory");
    return NULL;
  }
  return roll_self = c;
}

HIDDEN void roll_set_aside(void) {
  RollCursor *c = roll_self;
  if (aside++ || !c) return;
  c->kept = atomic_load(&c->next);
  atomic_store(&c->next, &nowhere);
}

HIDDEN void roll_go_on(void) {
  RollCursor *c = roll_self;
  if (--aside || !c) return;
  atomic_store(&c->next, c->kept);
}

// Where the operation of this site is, if the schedule has one there.
HIDDEN void roll_left(const RtNode *n, RtSite site, const char *name) {
  const RtRolled *r = roll.table;
  const char *texts = rolled_texts(r);
  char seen[400];
  int saved = errno;
  const RtRolledContext *found = NULL;
  for (uint32_t i = 0; i < r->contexts && !found; ++i)
    if (rolled_contexts(r)[i].site == site) found = &rolled_contexts(r)[i];
  bool there = n && found && rolled_contexts(r)[n->place].site == site;
  if (there)
    snprintf(seen, sizeof seen, "it, but inside other calls");
  else if (found && found->file != RT_NONE32)
    snprintf(seen, sizeof seen, "%s at %s:%u", name, texts + found->file, found->line);
  else
    snprintf(seen, sizeof seen, "%s at another place", name);
  if (n)
    enf_seen(n, seen);
  else
    enf_thread_seen(roll_self->thread, seen);
  errno = saved;
}

// The thread has done all that the schedule knows of it. If its end is in there, that is what is expected.
static void past(RollCursor *c, RtSite site, const char *name) {
  if (enf.schedule->plan[c->thread].exit)
    roll_left(NULL, site, name);
  else
    enf_rest();
}

HIDDEN const RtNode *roll_take_slow(RtSite site, const char *name) {
  RollCursor *c = roll_open();
  if (!c) return NULL;
  const RollSlot *s = roll_next(c);
  if (s && s->site == site && s->stack == rt_roll_stack) {
    atomic_store_explicit(&c->next, roll_after(s), memory_order_relaxed);
    return roll_node(s);
  }
  if (s)
    roll_left(roll_node(s), site, name);
  else if (enf_on())
    past(c, site, name);
  enf_settle();
  return NULL;
}

// The schedule as rt/enforce reads it, made of the bytes when the program starts: what is there once for an
// object, a context or a thread.
#include <string.h>
#include "rolls.h"

static const char *text(const RtRolled *r, uint32_t at) {
  return at == RT_NONE32 ? NULL : rolled_texts(r) + at;
}

static const RtPlace *places(const RtRolled *r) {
  RtPlace *all = enf_memory((r->contexts + 1) * sizeof *all);
  for (uint32_t i = 0; all && i < r->contexts; ++i) {
    const RtRolledContext *c = &rolled_contexts(r)[i];
    bool names = c->shape != RT_ROLLED_THREAD;
    all[i] = (RtPlace){text(r, c->function), text(r, c->file), text(r, c->what), c->line, c->column, names};
  }
  return all;
}

static const RtLife *lives(const RtRolled *r) {
  RtLife *all = enf_memory((r->objects + 1) * sizeof *all);
  for (uint32_t i = 0; all && i < r->objects; ++i) {
    const RtRolledObject *o = &rolled_objects(r)[i];
    all[i] =
        (RtLife){.family = o->family, .recursive = o->recursive, .robust = o->robust, .amount = o->amount};
    all[i].rounds = o->rounds, all[i].name = text(r, o->name);
    all[i].lasts = o->lasts, all[i].last = rolled_waits(r) + o->first;
  }
  return all;
}

// False: no memory. NULL if the thread has no such event.
static bool edge(const RtRolled *r, const RtRolledEdge *e, uint32_t thread, uint32_t position,
                 const RtNode **out) {
  *out = NULL;
  if (e->context == RT_NONE32) return true;
  RtNode *n = enf_memory(sizeof *n + e->waits * sizeof(RtWait));
  if (!n) return false;
  n->thread = thread, n->position = n->before = position;
  n->object = n->mutex = n->waker = RT_NONE32;
  n->outcome = e->outcome, n->place = e->context, n->waits = e->waits;
  memcpy(n->wait, rolled_waits(r) + e->first, e->waits * sizeof(RtWait));
  *out = n;
  return true;
}

static const RtPlan *plans(const RtRolled *r) {
  RtPlan *all = enf_memory(r->threads * sizeof *all);
  for (uint32_t i = 0; all && i < r->threads; ++i) {
    const RtRolledThread *t = &rolled_threads(r)[i];
    all[i] = (RtPlan){.routine = text(r, t->routine), .events = t->events};
    bool made = edge(r, &t->enter, i, 0, &all[i].enter) && edge(r, &t->exit, i, t->events - 1, &all[i].exit);
    if (!made) return NULL;
  }
  return all;
}

HIDDEN const RtSchedule *roll_schedule(const RtRolled *r) {
  static RtSchedule s;
  s = (RtSchedule){.version = RT_ENFORCE_ROLLED, .id = r->id, .threads = r->threads, .objects = r->objects};
  s.places = r->contexts, s.total = r->total != 0, s.free = r->free != 0, s.end_thread = r->end_thread;
  s.sends = r->sends;
  s.plan = plans(r), s.object = lives(r), s.place = places(r);
  return s.plan && s.object && s.place ? &s : NULL;
}

static bool make_cursors(const RtRolled *r) {
  enum { LINE = 64 };
  size_t slot = sizeof(RollSlot) + sizeof(RtNode) + r->most * sizeof(RtWait);
  roll.stride = (slot + LINE - 1) / LINE * LINE;
  roll.cursors = enf_memory(r->threads * sizeof *roll.cursors);
  for (uint32_t i = 0; roll.cursors && i < r->threads; ++i) {
    const RtRolledThread *t = &rolled_threads(r)[i];
    RollCursor *c = &roll.cursors[i];
    c->thread = i;
    c->position = t->enter.context != RT_NONE32;
    c->last = t->events - (t->exit.context != RT_NONE32);
  }
  return roll.cursors;
}

int rt_roll_ready(const RtRolled *r) {
  static const RtSchedule none;
  const RtSchedule *s = NULL;
  bool whole = rolled_whole(r, r->size);
  if (whole && make_cursors(r) && (s = roll_schedule(r))) return rt_enf_ready(s);
  enf.schedule = &none;
  enf_cannot("its table", whole ? ENOMEM : EINVAL);
  enf.schedule = NULL;
  return 0;
}

// As another thread sees it, which may find it changing.
static const RtNode *next_of(uint32_t thread) {
  const RollCursor *c = &roll.cursors[thread];
  const RtNode *exit = enf.schedule->plan[thread].exit;
  uint32_t published = atomic_load(&rt_enf_threads[thread].published);
  for (int i = 0; c->ring && i < ROLL_AHEAD; ++i) {
    const RtNode *n =
        roll_node((const RollSlot *)(const void *)((const char *)c->ring + (size_t)i * roll.stride));
    if (n->position == published && n->place < enf.schedule->places) return n;
  }
  return exit && exit->position == published ? exit : NULL;
}

void rt_roll_begin(const RtRolled *r) {
  enf.next = next_of;
  rt_enf_begin(enf.schedule);
  roll.table = r;
  rt_roll_stack = 0;
}

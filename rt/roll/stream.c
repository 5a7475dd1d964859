// The reader of a schedule's bytes; the compiler has it too, for tests.
#include <string.h>
#include "rt/roll.h"

static bool fits(uint64_t *left, uint64_t count, uint64_t size) {
  if (count > *left / size) return false;
  *left -= count * size;
  return true;
}

static bool in_list(uint32_t first, uint32_t count, uint32_t all) {
  return first <= all && count <= all - first;
}

static bool edge_whole(const RtRolled *r, const RtRolledEdge *e) {
  return e->context == RT_NONE32 || (e->context < r->contexts && in_list(e->first, e->waits, r->waits));
}

static bool threads_whole(const RtRolled *r) {
  for (uint32_t i = 0; i < r->threads; ++i) {
    const RtRolledThread *t = &rolled_threads(r)[i];
    uint32_t edges = (t->enter.context != RT_NONE32) + (t->exit.context != RT_NONE32);
    if (t->at > r->streams || t->size > r->streams - t->at || t->routine >= r->texts || t->events < edges ||
        !edge_whole(r, &t->enter) || !edge_whole(r, &t->exit))
      return false;
  }
  return true;
}

static bool contexts_whole(const RtRolled *r) {
  for (uint32_t i = 0; i < r->contexts; ++i) {
    const RtRolledContext *c = &rolled_contexts(r)[i];
    bool texts = (c->function == RT_NONE32 || c->function < r->texts) &&
                 (c->file == RT_NONE32 || c->file < r->texts) && c->what < r->texts;
    if (!texts || c->shape >= RT_ROLLED_SHAPES) return false;
  }
  return true;
}

static bool waits_whole(const RtRolled *r) {
  for (uint32_t i = 0; i < r->waits; ++i)
    if (rolled_waits(r)[i].thread >= r->threads) return false;
  for (uint32_t i = 0; i < r->objects; ++i) {
    const RtRolledObject *o = &rolled_objects(r)[i];
    if (o->name >= r->texts || !in_list(o->first, o->lasts, r->waits)) return false;
  }
  return true;
}

bool rolled_whole(const void *block, uint64_t size) {
  const RtRolled *r = block;
  uint64_t left = size;
  if (!fits(&left, 1, sizeof *r) || memcmp(r->magic, RT_ROLLED_MAGIC, 4) || r->size != size ||
      r->version != RT_ROLLED_VERSION)
    return false;
  bool tables = fits(&left, r->threads, sizeof(RtRolledThread)) &&
                fits(&left, r->contexts, sizeof(RtRolledContext)) &&
                fits(&left, r->objects, sizeof(RtRolledObject)) && fits(&left, r->waits, sizeof(RtWait)) &&
                fits(&left, r->texts, 1) && fits(&left, r->streams, 1);
  return tables && !left && r->threads && r->end_thread < r->threads && r->most <= r->threads && r->texts &&
         !rolled_texts(r)[r->texts - 1] && threads_whole(r) && contexts_whole(r) && waits_whole(r);
}

void rolled_begin(RolledReader *x, const RtRolled *r, uint32_t thread) {
  const RtRolledThread *t = &rolled_threads(r)[thread];
  x->at = rolled_streams(r) + t->at;
  x->end = x->at + t->size;
  x->run = 0;
}

static bool number(RolledReader *x, uint32_t *out) {
  *out = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    if (x->at == x->end) return false;
    uint8_t b = *x->at++;
    *out |= (uint32_t)(b & 127) << shift;
    if (b < 128) return true;
  }
  return false;
}

// Differences have their sign in the lowest bit.
static bool difference(RolledReader *x, uint32_t *value) {
  uint32_t n;
  if (!number(x, &n)) return false;
  *value += n >> 1 ^ (0 - (n & 1));
  return true;
}

static bool read_waits(RolledReader *x, const RtRolled *r, uint32_t count, RtWait *wait) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!number(x, &wait[i].thread) || wait[i].thread >= r->threads) return false;
    if (!difference(x, &x->guess.needs[wait[i].thread])) return false;
    wait[i].need = x->guess.needs[wait[i].thread];
  }
  return true;
}

static bool read_more(RolledReader *x, const RtRolled *r, unsigned head, RolledEvent *out) {
  RolledGuess *g = &x->guess;
  bool given = head & ROLLED_MORE;
  switch (rolled_contexts(r)[out->context].shape) {
    case RT_ROLLED_WAIT:
      if (given && !difference(x, &g->mutex)) return false;
      out->mutex = g->mutex;
      return out->mutex < r->objects || out->mutex == RT_NONE32;
    case RT_ROLLED_WAKE:
      if (given && (!number(x, &out->waker) || !number(x, &out->round))) return false;
      return !given || out->waker < r->threads;
    case RT_ROLLED_ARRIVE:
      if (given && !difference(x, &g->round)) return false;
      out->round = g->round++;
      return true;
    case RT_ROLLED_DEPART:
      out->round = g->round - 1;
      return true;
    default:
      return true;
  }
}

static bool object_known(const RtRolled *r, const RolledEvent *e) {
  bool thread = rolled_contexts(r)[e->context].shape == RT_ROLLED_THREAD;
  return e->object == RT_NONE32 || e->object < (thread ? r->threads : r->objects);
}

bool rolled_next(RolledReader *x, const RtRolled *r, RolledEvent *out, RtWait *wait) {
  RolledGuess *g = &x->guess;
  unsigned head = 0;
  if (x->run) {
    --x->run;
  } else {
    if (x->at == x->end) return false;
    head = *x->at++;
    if (head & ROLLED_RUN) x->run = head & (ROLLED_RUN - 1), head = 0;
  }
  *out = (RolledEvent){.mutex = RT_NONE32, .waker = RT_NONE32};
  uint32_t *context = &g->follows[g->context];
  if (head & ROLLED_CONTEXT && !number(x, context)) return false;
  if (*context >= r->contexts) return false;
  g->context = out->context = *context;
  if (head & ROLLED_OBJECT && !difference(x, &g->object)) return false;
  out->object = g->object;
  uint32_t outcome = 0;
  if (head & ROLLED_OUTCOME && !difference(x, &outcome)) return false;
  out->outcome = (int32_t)outcome;
  out->waits = head / ROLLED_WAITS;
  if (!object_known(r, out) || !read_more(x, r, head, out)) return false;
  if (out->waits == ROLLED_MANY && !number(x, &out->waits)) return false;
  return out->waits <= r->most && read_waits(x, r, out->waits, wait);
}

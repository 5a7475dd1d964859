#include "cause.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A signal or broadcast that may still wake somebody. A signal that overlapped with the arrival of a waiting
// thread may have come after it, though its number is lower.
typedef struct {
  uint64_t event;
  uint32_t seq, span;
  bool all, used;
} Wakeup;

typedef struct {
  RtObject what;
  bool known;
  uint32_t inside;          // threads in a condition wait
  uint64_t arrivals;        // at a barrier, ever
  uint64_t taken;           // from a semaphore, ever
  uint64_t ended;           // where the routine of a once ended
  Array(uint64_t) posts;    // of a semaphore
  Array(Wakeup) wakeups;    // of a condition
  Array(uint32_t) arrived;  // threads at a barrier
} Object;

typedef struct {
  uint64_t created, exited;
  uint64_t waits;     // where its condition wait began
  uint32_t waits_as;  // its number there
  uint64_t departs;   // what completed its barrier
} Thread;

struct Causes {
  const Ids *threads;
  Thread *of;  // by their ids; one more for those without entries
  Ids objects;
  Array(Object) at;
};

Causes *causes_new(const Ids *threads) {
  Causes *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->threads = threads;
  c->of = calloc(threads->count + 1, sizeof *c->of);
  if (!c->of) return free(c), NULL;
  for (uint32_t i = 0; i <= threads->count; ++i)
    c->of[i] = (Thread){RT_NO_CAUSE, RT_NO_CAUSE, RT_NO_CAUSE, 0, RT_NO_CAUSE};
  return c;
}

void causes_free(Causes *c) {
  if (!c) return;
  for (size_t i = 0; i < c->at.count; ++i) {
    free(c->at.at[i].posts.at);
    free(c->at.at[i].wakeups.at);
    free(c->at.at[i].arrived.at);
  }
  free(c->at.at);
  free(c->of);
  ids_free(&c->objects);
  free(c);
}

static Thread *thread_of(Causes *c, uint32_t id) {
  uint32_t i = ids_find(c->threads, id);
  return &c->of[i == IDS_NONE ? c->threads->count : i];
}

static Object *object_of(Causes *c, uint32_t id) {
  uint32_t i = ids_add(&c->objects, id);
  if (i == IDS_NONE) return NULL;
  Object fresh;
  memset(&fresh, 0, sizeof fresh);
  fresh.ended = RT_NO_CAUSE;
  if (i == c->at.count && !array_add(&c->at, fresh)) return NULL;
  return &c->at.at[i];
}

bool causes_name(Causes *c, RtEntry e) {
  Object *o = object_of(c, e.object);
  if (!o) return false;
  RtKind kind = (RtKind)(e.outcome & ~RT_WITH_OTHERS);
  bool shared = e.outcome & RT_WITH_OTHERS;
  if ((kind == RT_MUTEX || kind == RT_RWLOCK || kind == RT_SPIN) && e.site != RT_NO_VALUE)
    shared |= (e.site & RT_SHARED) != 0;
  o->what = (RtObject){kind, shared, e.site, rt_address(e)};
  o->known = true;
  return true;
}

bool causes_object(const Causes *c, uint32_t object, RtObject *out) {
  uint32_t i = ids_find(&c->objects, object);
  if (i == IDS_NONE || i >= c->at.count || !c->at.at[i].known) return false;
  *out = c->at.at[i].what;
  return true;
}

static bool woken_by(const Wakeup *w, const Thread *t) {
  bool overlaps = w->seq < t->waits_as && t->waits_as - w->seq <= w->span;
  return !w->used && (w->event > t->waits || overlaps);
}

// The earliest that can have been it.
static uint64_t wake(Object *o, const Thread *t) {
  for (size_t i = 0; i < o->wakeups.count; ++i) {
    Wakeup *w = &o->wakeups.at[i];
    if (!woken_by(w, t)) continue;
    w->used = !w->all;
    return w->event;
  }
  return RT_NO_CAUSE;
}

// What nobody inside can have got any more is forgotten.
static void leave(Object *o) {
  if (o->inside && !--o->inside) o->wakeups.count = 0;
}

static bool signalled(Object *o, const RtEvent *e, uint64_t index) {
  uint32_t span = e->entry.extra & RT_SPAN;
  if (!o->inside && !span) return true;
  return array_add(&o->wakeups, ((Wakeup){index, e->entry.seq, span, e->entry.op == RT_BROADCAST, false}));
}

static uint64_t acquired(Object *o) {
  uint64_t n = o->taken++;
  if (!o->known || o->what.value == RT_NO_VALUE || n < o->what.value) return RT_NO_CAUSE;
  n -= o->what.value;
  return n < o->posts.count ? o->posts.at[n] : RT_NO_CAUSE;
}

// The last of a round lets all go.
static bool arrived(Causes *c, Object *o, uint32_t thread, uint64_t index) {
  if (!o->known || !o->what.value || o->what.value == RT_NO_VALUE) return true;
  thread_of(c, thread)->departs = RT_NO_CAUSE;
  if (!array_add(&o->arrived, thread)) return false;
  if (++o->arrivals % o->what.value) return true;
  for (size_t i = 0; i < o->arrived.count; ++i) thread_of(c, o->arrived.at[i])->departs = index;
  o->arrived.count = 0;
  return true;
}

static bool object_next(Causes *c, Object *o, RtEvent *e, uint64_t index) {
  Thread *t = thread_of(c, e->thread);
  bool took = e->entry.outcome == RT_OK && !(e->entry.extra & (RT_SEEN | RT_LOOSE));
  switch (e->entry.op) {
    case RT_WAIT:
      ++o->inside;
      t->waits = index;
      t->waits_as = e->entry.seq;
      return true;
    case RT_WAKE:
      e->cause = e->entry.outcome == RT_OK ? wake(o, t) : RT_NO_CAUSE;
      leave(o);
      return true;
    case RT_SIGNAL:
    case RT_BROADCAST:
      return signalled(o, e, index);
    case RT_POST:
      return !took || array_add(&o->posts, index);
    case RT_ACQUIRE:
      e->cause = took ? acquired(o) : RT_NO_CAUSE;
      return true;
    case RT_ARRIVE:
      return arrived(c, o, e->thread, index);
    case RT_DEPART:
      e->cause = t->departs;
      return true;
    case RT_ONCE_END:
      o->ended = index;
      return true;
    case RT_ONCE:
      e->cause = o->ended;
      return true;
    default:
      return true;
  }
}

static bool thread_next(Causes *c, RtEvent *e, uint64_t index) {
  const RtEntry *n = &e->entry;
  switch (n->op) {
    case RT_ENTER:
      e->cause = thread_of(c, e->thread)->created;
      return true;
    case RT_EXIT:
      thread_of(c, e->thread)->exited = index;
      return true;
    case RT_CREATE:
      thread_of(c, n->object)->created = index;
      return true;
    case RT_JOIN:
      e->cause = n->outcome == RT_OK ? thread_of(c, n->object)->exited : RT_NO_CAUSE;
      return true;
    default:
      return true;
  }
}

bool causes_next(Causes *c, RtEvent *e, uint64_t index) {
  e->cause = RT_NO_CAUSE;
  if (!rt_op_numbered((RtOp)e->entry.op)) return thread_next(c, e, index);
  Object *o = object_of(c, e->entry.object);
  return o && object_next(c, o, e, index);
}

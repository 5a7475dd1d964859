// Objects as the C library has them, as far as it matters who gets what next. Whoever wakes up does so in the
// order of coming.
#include "natural.h"
#include <assert.h>
#include <pthread.h>
#include "inside.h"

typedef struct {
  uint64_t address;
  uint32_t id;     // in the schedule; SIGMA_NONE: no event has named it yet
  uint8_t family;  // SyncFamily
  uint8_t type;    // of a mutex, as pthread_mutexattr_settype has it
  uint32_t owner;  // thread + 1
  uint32_t depth, readers;
  uint32_t amount, count, generation;  // of barriers: how many it takes, have come, and how often it opened
  uint32_t last;                       // who came last
  bool running, done;                  // of a once
  IdVec waiters;                       // of a condition, as they came
} NaturalObject;

typedef struct {
  uint32_t cond;   // object + 1; 0: it is in no wait
  uint32_t depth;  // of the mutex that it has left
  uint32_t generation;
  bool woken, timed_out, timed;
} NaturalThread;

struct Natural {
  Sigma *sigma;
  Schedule *c;
  Runner *runner;
  Vec(NaturalObject) objects;
  Map *object_at;  // address: object + 1
  Vec(NaturalThread) threads;
  Event now;
  Map *site_of;
};

struct Natural *natural_new(Machine *m, Sigma *s, uint32_t schedule, Runner *r) {
  (void)m;
  struct Natural *n = mem_alloc(sizeof *n);
  n->sigma = s, n->c = s->schedules.at[schedule], n->runner = r;
  n->object_at = map_new(), n->site_of = map_new();
  return n;
}

void natural_free(struct Natural *n) {
  if (!n) return;
  for (vec_each(i, &n->objects)) vec_free(&n->objects.at[i].waiters);
  vec_free(&n->objects), vec_free(&n->threads);
  map_free(n->object_at), map_free(n->site_of);
  mem_free(n);
}

static NaturalThread *thread_of(struct Natural *n, uint32_t id) {
  while (n->threads.len <= id) {
    NaturalThread none = {0};
    vec_push(&n->threads, none);
  }
  return &n->threads.at[id];
}

// --- objects

static uint8_t type_in_memory(const Machine *m, uint64_t at) {
  return memory_readable(&m->memory, at + 16, 4) ? *memory_bytes(&m->memory, at + 16) & 3 : 0;
}

static uint32_t object_at(Machine *m, uint64_t at, SyncFamily family) {
  struct Natural *n = m->natural;
  uint64_t known = map_or(n->object_at, at, 0);
  if (known) return (uint32_t)known - 1;
  NaturalObject o = {.address = at, .id = SIGMA_NONE, .family = (uint8_t)family};
  if (family == SYNC_MUTEX) o.type = type_in_memory(m, at);
  vec_push(&n->objects, o);
  map_put(n->object_at, at, n->objects.len);
  return (uint32_t)n->objects.len - 1;
}

static uint32_t id_of(Machine *m, uint32_t object) {
  struct Natural *n = m->natural;
  NaturalObject *o = &n->objects.at[object];
  if (o->id != SIGMA_NONE) return o->id;
  o->id = schedule_add_object(n->c, (SyncFamily)o->family);
  SigmaObject *to = &n->c->objects.at[o->id];
  to->recursive = o->family == SYNC_MUTEX && o->type == PTHREAD_MUTEX_RECURSIVE;
  bool counted = o->family == SYNC_BARRIER_OBJECT || o->family == SYNC_SEMAPHORE;
  if (counted) to->counted = true, to->amount = o->family == SYNC_SEMAPHORE ? o->count : o->amount;
  const char *name = bytecode_global_name(m->code, o->address);
  if (name) to->name = sigma_intern(n->sigma, name);
  return o->id;
}

void natural_forget(Machine *m, uint64_t address) {
  if (map_or(m->natural->object_at, address, 0)) map_put(m->natural->object_at, address, 0);
}

void natural_begins(Machine *m, Thread *t, const Call *call, const Sync *s, uint64_t at) {
  natural_forget(m, at);
  uint32_t object = object_at(m, at, s->family);
  NaturalObject *o = &m->natural->objects.at[object];
  bool attributes = s->family == SYNC_MUTEX && call->arg_count > 1;
  uint64_t second = attributes ? machine_word(m, t, call, 1) : 0;
  o->type = 0;
  if (attributes && !strcmp(s->name, "mtx_init"))
    o->type = second & 1 ? PTHREAD_MUTEX_RECURSIVE : 0;
  else if (second && memory_readable(&m->memory, second, 4))
    o->type = *memory_bytes(&m->memory, second) & 3;
  if (s->family == SYNC_BARRIER_OBJECT && call->arg_count > 2)
    o->amount = (uint32_t)machine_word(m, t, call, 2);
  if (s->family == SYNC_SEMAPHORE && call->arg_count > 2) o->count = (uint32_t)machine_word(m, t, call, 2);
  if ((s->family == SYNC_BARRIER_OBJECT && (!o->amount || o->amount > INT32_MAX)) ||
      (s->family == SYNC_SEMAPHORE && o->count > INT32_MAX))
    machine_stop(m, t, RUN_REFUSED, "%s fails here", s->name);
}

// --- operations. False: the thread waits.

static bool ends_at_once(struct Natural *n, Thread *t, const Sync *s, SyncOutcome outcome) {
  NaturalThread *x = thread_of(n, t->id);
  x->timed = s->waiting == SYNC_TIMED;
  if (s->waiting == SYNC_TRY) {
    n->now.outcome = (uint16_t)outcome;
    return true;
  }
  if (!x->timed_out) return false;
  n->now.outcome = SYNC_TIMEDOUT;
  x->timed_out = x->timed = false;
  return true;
}

static bool take_mutex(struct Natural *n, Thread *t, const Sync *s, NaturalObject *o) {
  bool mine = o->owner == t->id + 1;
  if (mine && o->type == PTHREAD_MUTEX_RECURSIVE) return ++o->depth, true;
  if (mine && o->type == PTHREAD_MUTEX_ERRORCHECK) {
    n->now.outcome = s->waiting == SYNC_TRY ? SYNC_BUSY : SYNC_DEADLK;
    return true;
  }
  if (o->owner || o->readers) return ends_at_once(n, t, s, SYNC_BUSY);
  o->owner = t->id + 1, o->depth = 1;
  return true;
}

static bool take_to_read(struct Natural *n, Thread *t, const Sync *s, NaturalObject *o) {
  if (o->owner) return ends_at_once(n, t, s, SYNC_BUSY);
  ++o->readers;
  return true;
}

static void give_back(Thread *t, NaturalObject *o) {
  if (o->owner == t->id + 1) {
    if (!--o->depth) o->owner = 0;
  } else if (o->readers) {
    --o->readers;
  }
}

static bool wait_arrives(Machine *m, Thread *t, uint32_t cond, uint32_t mutex, const Sync *s) {
  NaturalThread *x = thread_of(m->natural, t->id);
  NaturalObject *o = &m->natural->objects.at[mutex];
  *x = (NaturalThread){.cond = cond + 1, .depth = o->depth, .timed = s->waiting == SYNC_TIMED};
  if (o->owner != t->id + 1) return machine_stop(m, t, RUN_REFUSED, "a wait without its mutex"), false;
  o->owner = o->depth = 0;
  vec_push(&m->natural->objects.at[cond].waiters, t->id);
  return true;
}

static void leave_queue(NaturalObject *cond, uint32_t thread) {
  for (vec_each(i, &cond->waiters)) {
    if (cond->waiters.at[i] != thread) continue;
    for (size_t k = i + 1; k < cond->waiters.len; ++k) cond->waiters.at[k - 1] = cond->waiters.at[k];
    --cond->waiters.len;
    return;
  }
}

static bool wait_departs(Machine *m, Thread *t, uint32_t cond, uint32_t mutex) {
  NaturalThread *x = thread_of(m->natural, t->id);
  NaturalObject *o = &m->natural->objects.at[mutex];
  if ((!x->woken && !x->timed_out) || o->owner) return false;
  if (!x->woken) {
    leave_queue(&m->natural->objects.at[cond], t->id);
    m->natural->now.outcome = SYNC_TIMEDOUT;
  }
  o->owner = t->id + 1, o->depth = x->depth;
  *x = (NaturalThread){0};
  return true;
}

static void wake(struct Natural *n, NaturalObject *cond, bool all) {
  while (cond->waiters.len) {
    thread_of(n, cond->waiters.at[0])->woken = true;
    leave_queue(cond, cond->waiters.at[0]);
    if (!all) return;
  }
}

static bool at_barrier(struct Natural *n, Thread *t, NaturalObject *o, EventPhase phase) {
  NaturalThread *x = thread_of(n, t->id);
  if (phase == EVENT_ARRIVE) {
    x->generation = o->generation;
    if (++o->count < o->amount) return true;
    o->count = 0, o->last = t->id, ++o->generation;
    return true;
  }
  if (o->generation == x->generation) return false;
  if (o->generation == x->generation + 1 && o->last == t->id) n->now.outcome = SYNC_SERIAL;
  return true;
}

static bool begin_once(struct Natural *n, NaturalObject *o) {
  if (o->running) return false;
  if (!o->done) o->running = true, n->now.outcome = SYNC_RAN;
  return true;
}

const Event *natural_once(Machine *m, Thread *t) {
  static const Event ran = {.outcome = SYNC_RAN};
  uint64_t at;
  if (!machine_operand(m, t, t->doing_call, t->doing->object, &at)) return NULL;
  uint32_t object = object_at(m, at, SYNC_ONCE_FLAG);
  NaturalObject *o = &m->natural->objects.at[object];
  if (o->running || o->done) return NULL;
  o->running = true, o->owner = t->id + 1;
  return &ran;
}

static bool ends_once(struct Natural *n, Thread *t, NaturalObject *o) {
  if (o->running && o->owner == t->id + 1) {
    o->running = false, o->done = true, n->now.outcome = SYNC_RAN;
    return true;
  }
  return o->done;
}

static bool on_object(Machine *m, Thread *t, int kind, EventPhase phase, uint32_t object, uint32_t mutex) {
  struct Natural *n = m->natural;
  const Sync *s = t->doing;
  NaturalObject *o = &n->objects.at[object];
  switch (kind) {
    case SYNC_LOCK:
      return take_mutex(n, t, s, o);
    case SYNC_RDLOCK:
      return take_to_read(n, t, s, o);
    case SYNC_UNLOCK:
      return give_back(t, o), true;
    case SYNC_WAIT:
      return phase == EVENT_ARRIVE ? wait_arrives(m, t, object, mutex, s) : wait_departs(m, t, object, mutex);
    case SYNC_SIGNAL:
    case SYNC_BROADCAST:
      return wake(n, o, kind == SYNC_BROADCAST), true;
    case SYNC_BARRIER:
      return at_barrier(n, t, o, phase);
    case SYNC_ACQUIRE:
      if (!o->count) return ends_at_once(n, t, s, SYNC_AGAIN);
      return --o->count, true;
    case SYNC_POST:
      return ++o->count, true;
    case SYNC_ONCE:
      return ends_once(n, t, o);
    case SYNC_ONCE_BEGIN:
      return begin_once(n, o);
    case SYNC_ONCE_END:
      return o->running = false, o->done = true, true;
    case SYNC_ONCE_ABORT:
      return o->running = false, true;
    default:
      machine_stop(m, t, RUN_REFUSED, "%s, whose natural order is not known", s->name);
      return false;
  }
}

static bool on_thread(Machine *m, Thread *t, int kind) {
  struct Natural *n = m->natural;
  uint64_t id;
  if (kind == SYNC_CREATE) {
    if (n->c->threads >= NATURAL_THREADS)
      return machine_stop(m, t, RUN_LIMIT, "more than %d threads", NATURAL_THREADS), false;
    n->now.other = schedule_add_thread(n->c);
    return true;
  }
  if (kind == SYNC_CANCEL)
    return machine_stop(m, t, RUN_REFUSED, "a thread is cancelled: the natural order of that is not known"),
           false;
  if (kind == SYNC_TESTCANCEL) return true;
  if (!machine_operand(m, t, t->doing_call, t->doing->object, &id)) return false;
  uint64_t other = sync_thread_number(id);
  if (other >= n->c->threads)
    return machine_stop(m, t, RUN_REFUSED, "%s of no thread", t->doing->name), false;
  n->now.other = (uint32_t)other;
  if (kind != SYNC_JOIN || m->threads[other]->state == THREAD_ENDED) return true;
  bool now = ends_at_once(n, t, t->doing, SYNC_BUSY);
  return now;
}

static bool is_about_threads(int kind) {
  return kind == SYNC_CREATE || kind == SYNC_JOIN || kind == SYNC_DETACH || kind == SYNC_CANCEL ||
         kind == SYNC_TESTCANCEL;
}

static bool is_plain(int kind) {
  return kind == SYNC_ENTER || kind == SYNC_EXIT || kind >= SYNC_KINDS;
}

static const char *entered_function(const Machine *m, Thread *t, int kind) {
  uint32_t f = kind == SYNC_ENTER ? t->routine : frame_of(t)->function;
  return f == CODE_NONE ? "?" : bytecode_name(m->code, f);
}

// --- events

const Event *natural_turn(Machine *m, Thread *t, int kind, EventPhase phase, uint32_t site) {
  struct Natural *n = m->natural;
  uint64_t at = 0, mutex_at = 0;
  uint32_t known = site == SITE_NONE ? SIGMA_NONE : runner_site(n->runner, n->sigma, site);
  bool goes = true;
  if (m->over) return NULL;
  n->now = event_of(t->id, kind, known);
  n->now.phase = phase;
  if (kind == SYNC_ENTER || kind == EVENT_CALLBACK)
    n->now.other = sigma_intern(n->sigma, entered_function(m, t, kind));
  if (is_about_threads(kind)) {
    goes = on_thread(m, t, kind);
  } else if (!is_plain(kind)) {
    const Sync *s = t->doing;
    if (!machine_operand(m, t, t->doing_call, s->object, &at)) return NULL;
    uint32_t object = object_at(m, at, s->family), mutex = SIGMA_NONE;
    if (kind == SYNC_WAIT) {
      if (!machine_operand(m, t, t->doing_call, s->mutex, &mutex_at)) return NULL;
      mutex = object_at(m, mutex_at, SYNC_MUTEX);
      n->now.other = id_of(m, mutex);
    }
    n->now.object = id_of(m, object);
    goes = on_object(m, t, kind, phase, object, mutex);
  }
  t->state = goes ? THREAD_RUNS : THREAD_WAITS;
  return goes && !m->over ? &n->now : NULL;
}

void natural_pass(Machine *m, Thread *t) {
  (void)t;
  vec_push(&m->natural->c->events, m->natural->now);
  ++m->result->events;
}

bool natural_stuck(Machine *m) {
  struct Natural *n = m->natural;
  for (vec_each(i, &n->threads)) {
    NaturalThread *x = &n->threads.at[i];
    if (!x->timed || x->timed_out || x->woken) continue;
    x->timed_out = true;
    return true;
  }
  return false;
}

void natural_environment(Machine *m, const char *name) {
  SigmaEnv e = {sigma_intern(m->natural->sigma, name), SIGMA_NONE};
  vec_push(&m->natural->c->env, e);
}

// Every thread is in a state; a step picks a thread that can go on and lets it do something that its state
// allows. A thread that blocks remembers the event it will make, and makes it when the object lets it, or
// when it times out.
#include "sim.h"
#include <assert.h>
#include <stdio.h>

typedef enum { UNBORN, CREATED, RUNS, BLOCKED, WAITS, GATHERS, EXITED } Stage;
typedef struct {
  Stage stage;
  Event next;  // of BLOCKED, WAITS, GATHERS: what it will do
  bool timed;  // it may give up
  bool ready;  // WAITS: woken or timed out. GATHERS: the barrier is open
  bool detached, joined, cancelled;
  uint32_t locks;       // of all kinds that it holds
  Vec(uint32_t) calls;  // sites
} Thread;

typedef struct {
  uint32_t owner, depth;       // mutex, spin, writer
  bool checked, robust, dead;  // of a mutex
  uint32_t readers;
  Vec(uint32_t) reads;  // by thread, how often
  uint32_t value;       // semaphore; barrier: arrived
  int once;             // 0 not yet, 1 runs, 2 done
  uint8_t bytes[8];     // of a cell
} Object;

typedef struct {
  uint64_t seed;
  SimOptions o;
  Sigma *s;
  Schedule *c;
  Thread *threads;
  Vec(Object) objects;
  uint32_t first[SYNC_FUTEX + 1];  // object of each family
  bool draining;
} Sim;

uint64_t sim_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
uint32_t sim_below(uint64_t *state, uint32_t n) {
  return (uint32_t)((sim_random(state) >> 32) * n >> 32);
}

static uint32_t below(Sim *m, uint32_t n) {
  return sim_below(&m->seed, n);
}
static bool one_in(Sim *m, uint32_t n) {
  return below(m, n) == 0;
}

// A few sites for each kind of event, in functions of a few names.
static uint32_t site_for(Sim *m, int kind) {
  char name[40];
  uint32_t which = below(m, 3), place = below(m, 8);  // the same draws whether the site is there or not
  snprintf(name, sizeof name, "work%u#%u", which, (unsigned)kind);
  uint32_t before = (uint32_t)m->s->sites.len, id = sigma_add_site(m->s, name, kind);
  SigmaSite *site = &m->s->sites.at[id];
  if (id < before) return id;
  if (m->o.odd && kind == SYNC_ONCE) site->derived = true;
  if (!place) return id;
  site->file = sigma_intern(m->s, m->o.odd && place == 1 ? "a \"b\":c\\.c" : "work.c");
  site->line = 10 * which + (uint32_t)kind;
  site->column = 3;
  return id;
}

static uint32_t object_for(Sim *m, SyncFamily f) {
  return m->first[f] + below(m, m->o.objects);
}

static Event on(Sim *m, uint32_t t, int kind, uint32_t object) {
  Event e = event_of(t, kind, site_for(m, kind));
  e.object = object;
  return e;
}

static void emit(Sim *m, Event e) {
  vec_push(&m->c->events, e);
}

static void emit_as(Sim *m, Event e, SyncOutcome outcome) {
  e.outcome = (uint16_t)outcome;
  emit(m, e);
}

static Object *object_of(Sim *m, const Event *e) {
  return &m->objects.at[e->object];
}

static bool is_free(const Object *o) {
  return o->owner == SIGMA_NONE && !o->readers;
}

// Can a thread that blocks go on now?
static bool may_go(Sim *m, uint32_t id) {
  Thread *t = &m->threads[id];
  Event *e = &t->next;
  Object *o = e->object == SIGMA_NONE ? NULL : object_of(m, e);
  switch (e->kind) {
    case SYNC_LOCK:
      return is_free(o) || (o->robust && o->owner != SIGMA_NONE && m->threads[o->owner].stage == EXITED);
    case SYNC_RDLOCK:
      return o->owner == SIGMA_NONE;
    case SYNC_ACQUIRE:
      return o->value > 0;
    case SYNC_WAIT:
      return t->ready && m->objects.at[e->other].owner == SIGMA_NONE;
    case SYNC_BARRIER:
      return t->ready;
    case SYNC_ONCE:
    case SYNC_ONCE_BEGIN:
      return o->once != 1;
    default:
      assert(e->kind == SYNC_JOIN);
      return m->threads[e->other].stage == EXITED;
  }
}

static void own(Sim *m, uint32_t t, Object *o) {
  o->owner = t;
  o->depth = 1;
  ++m->threads[t].locks;
}

static SyncOutcome once_outcome(Object *o, int kind) {
  if (o->once == 2) return SYNC_OK;
  o->once = kind == SYNC_ONCE ? 2 : 1;
  return SYNC_RAN;
}

static void open_barrier(Sim *m, uint32_t object) {
  uint32_t inside = 0;
  for (uint32_t t = 0; t < m->c->threads; ++t) {
    Thread *x = &m->threads[t];
    if (x->stage != GATHERS || x->next.object != object || x->ready) continue;
    x->ready = true;
    x->next.outcome = inside++ ? SYNC_OK : SYNC_SERIAL;
  }
  m->objects.at[object].value = 0;
}

// The blocked operation succeeds.
static void go(Sim *m, uint32_t id) {
  Thread *t = &m->threads[id];
  Event e = t->next;
  Object *o = e.object == SIGMA_NONE ? NULL : object_of(m, &e);
  t->stage = RUNS;
  switch (e.kind) {
    case SYNC_LOCK:
      if (o->owner != SIGMA_NONE) e.outcome = SYNC_OWNERDEAD;
      own(m, id, o);
      break;
    case SYNC_RDLOCK:
      ++o->readers;
      ++o->reads.at[id];
      ++t->locks;
      break;
    case SYNC_ACQUIRE:
      --o->value;
      break;
    case SYNC_WAIT:
      own(m, id, &m->objects.at[e.other]);
      break;
    case SYNC_ONCE:
    case SYNC_ONCE_BEGIN:
      e.outcome = (uint16_t)once_outcome(o, e.kind);
      if (e.kind == SYNC_ONCE_BEGIN && e.outcome == SYNC_RAN) o->owner = id, ++t->locks;
      break;
    default:
      break;
  }
  emit(m, e);
  if (e.wake == EVENT_CANCELLED) t->cancelled = true;
}

static void block(Sim *m, uint32_t id, Event e, bool timed) {
  Thread *t = &m->threads[id];
  t->next = e;
  t->timed = timed || (m->o.calm && (e.kind == SYNC_WAIT || e.kind == SYNC_ACQUIRE || e.kind == SYNC_JOIN));
  t->ready = false;
  if (e.kind == SYNC_JOIN) m->threads[e.other].joined = true;  // nobody else will
  t->stage = e.kind == SYNC_WAIT ? WAITS : e.kind == SYNC_BARRIER ? GATHERS : BLOCKED;
  if (t->stage == BLOCKED && may_go(m, id)) go(m, id);
}

static void give_up(Sim *m, uint32_t id) {
  Thread *t = &m->threads[id];
  if (t->stage == WAITS) {
    t->ready = true;
    t->next.outcome = SYNC_TIMEDOUT;
    return;
  }
  t->stage = RUNS;
  if (t->next.kind == SYNC_JOIN) m->threads[t->next.other].joined = false;
  emit_as(m, t->next, SYNC_TIMEDOUT);
}

static bool own_lock_again(Sim *m, uint32_t id, uint32_t object, Event e, bool timed) {
  Object *o = &m->objects.at[object];
  SigmaObject *declared = &m->c->objects.at[object];
  if (o->owner != id) return false;
  if (declared->recursive) {
    ++o->depth;
    emit(m, e);
  } else if (declared->family == SYNC_SPIN || o->checked) {
    emit_as(m, e, SYNC_DEADLK);
  } else {
    emit_as(m, e, timed ? SYNC_TIMEDOUT : SYNC_BUSY);
  }
  return true;
}

static void lock(Sim *m, uint32_t id, SyncFamily f) {
  uint32_t object = object_for(m, f);
  Object *o = &m->objects.at[object];
  Event e = on(m, id, f == SYNC_RWLOCK && one_in(m, 2) ? SYNC_RDLOCK : SYNC_LOCK, object);
  bool timed = !m->o.plain && (m->o.calm || one_in(m, 4)), attempt = !m->o.plain && one_in(m, 4);
  if (f == SYNC_SPIN) timed = false;
  if (f == SYNC_RWLOCK && (o->owner == id || (o->reads.at[id] && e.kind == SYNC_LOCK))) {
    emit_as(m, e, attempt ? SYNC_BUSY : SYNC_DEADLK);
  } else if (f == SYNC_RWLOCK && e.kind == SYNC_RDLOCK && o->reads.at[id]) {
    ++o->readers;
    ++o->reads.at[id];
    ++m->threads[id].locks;
    emit(m, e);
  } else if (!own_lock_again(m, id, object, e, timed)) {
    bool held = e.kind == SYNC_RDLOCK ? o->owner != SIGMA_NONE : !is_free(o);
    bool left = held && o->robust && o->owner != SIGMA_NONE && m->threads[o->owner].stage == EXITED;
    if (attempt && held && !left)
      emit_as(m, e, SYNC_BUSY);
    else
      block(m, id, e, timed);
  }
}

static void unlock(Sim *m, uint32_t id, uint32_t object) {
  Object *o = &m->objects.at[object];
  Event e = on(m, id, SYNC_UNLOCK, object);
  if (o->owner == id) {
    if (!--o->depth) {
      o->owner = SIGMA_NONE;
      --m->threads[id].locks;
    }
  } else {
    --o->readers;
    --o->reads.at[id];
    --m->threads[id].locks;
  }
  emit(m, e);
}

static bool holds(const Sim *m, uint32_t id, uint32_t object) {
  const Object *o = &m->objects.at[object];
  return o->owner == id || (o->reads.len && o->reads.at[id]);
}

static void release_one(Sim *m, uint32_t id) {
  uint32_t n = (uint32_t)m->objects.len, from = below(m, n), object = from;
  while (!holds(m, id, object)) object = (object + 1) % n;
  SyncFamily f = (SyncFamily)m->c->objects.at[object].family;
  if (f != SYNC_ONCE_FLAG) {
    unlock(m, id, object);
    return;
  }
  Object *o = &m->objects.at[object];
  bool gives_up = one_in(m, 4);
  emit(m, on(m, id, gives_up ? SYNC_ONCE_ABORT : SYNC_ONCE_END, object));
  o->once = gives_up ? 0 : 2;
  o->owner = SIGMA_NONE;
  --m->threads[id].locks;
}

static void wait(Sim *m, uint32_t id) {
  uint32_t nth = below(m, m->o.objects), mutex = m->first[SYNC_MUTEX] + nth;
  Object *o = &m->objects.at[mutex];
  Event e = on(m, id, SYNC_WAIT, m->first[SYNC_COND] + nth);
  e.other = mutex;
  e.phase = EVENT_ARRIVE;
  if (o->owner != id || o->depth > 1) {
    if (o->owner != id) emit_as(m, e, SYNC_PERM);
    return;
  }
  emit(m, e);
  o->owner = SIGMA_NONE;
  o->depth = 0;
  --m->threads[id].locks;
  e.phase = EVENT_DEPART;
  block(m, id, e, one_in(m, 3));
}

static void wake(Sim *m, uint32_t id) {
  Event e = on(m, id, one_in(m, 4) ? SYNC_BROADCAST : SYNC_SIGNAL, object_for(m, SYNC_COND));
  emit(m, e);
  uint32_t n = m->c->threads, from = below(m, n);
  for (uint32_t i = 0; i < n; ++i) {
    Thread *t = &m->threads[(from + i) % n];
    if (t->stage != WAITS || t->ready || t->next.object != e.object) continue;
    t->ready = true;
    if (e.kind == SYNC_SIGNAL) break;
  }
}

static void barrier(Sim *m, uint32_t id) {
  Event e = on(m, id, SYNC_BARRIER, object_for(m, SYNC_BARRIER_OBJECT));
  e.phase = EVENT_ARRIVE;
  emit(m, e);
  e.phase = EVENT_DEPART;
  block(m, id, e, false);
  if (++object_of(m, &e)->value == m->c->objects.at[e.object].amount) open_barrier(m, e.object);
}

static void acquire(Sim *m, uint32_t id) {
  Event e = on(m, id, SYNC_ACQUIRE, object_for(m, SYNC_SEMAPHORE));
  if (one_in(m, 20))
    emit_as(m, e, SYNC_INTR);
  else if (one_in(m, 4) && !object_of(m, &e)->value)
    emit_as(m, e, SYNC_AGAIN);
  else
    block(m, id, e, one_in(m, 3));
}

static void post(Sim *m, uint32_t id) {
  Event e = on(m, id, SYNC_POST, object_for(m, SYNC_SEMAPHORE));
  ++object_of(m, &e)->value;
  emit(m, e);
}

static void once(Sim *m, uint32_t id) {
  uint32_t object = object_for(m, SYNC_ONCE_FLAG);
  if (m->objects.at[object].owner == id) return;
  block(m, id, on(m, id, object % 2 ? SYNC_ONCE : SYNC_ONCE_BEGIN, object), false);
}

static void create(Sim *m, uint32_t id) {
  Event e = event_of(id, SYNC_CREATE, site_for(m, SYNC_CREATE));
  if (m->c->threads == m->o.threads || (!m->o.plain && one_in(m, 10))) {
    if (!m->o.plain) emit_as(m, e, SYNC_AGAIN);
    return;
  }
  e.other = schedule_add_thread(m->c);
  m->threads[e.other].stage = CREATED;
  emit(m, e);
}

static void about_thread(Sim *m, uint32_t id) {
  uint32_t other = below(m, m->c->threads), kind = below(m, 8);
  Thread *t = &m->threads[other];
  if (other == id || !other || t->joined || t->detached) return;
  Event e = event_of(id, SYNC_JOIN, SIGMA_NONE);
  e.other = other;
  if (kind == 0 && !m->o.plain) {
    e.kind = SYNC_DETACH;
    t->detached = true;
  } else if (kind == 1 && !m->o.plain) {
    e.kind = SYNC_CANCEL;
    if (t->stage == WAITS && !t->ready) t->ready = true, t->next.wake = EVENT_CANCELLED;
  }
  e.site = site_for(m, e.kind);
  if (e.kind != SYNC_JOIN)
    emit(m, e);
  else if (kind == 2 && t->stage != EXITED && !m->o.plain)
    emit_as(m, e, SYNC_BUSY);
  else if (t->stage == EXITED || one_in(m, 3))
    block(m, id, e, !m->o.plain && one_in(m, 2));
}

static void call(Sim *m, uint32_t id) {
  Thread *t = &m->threads[id];
  if (!m->o.plain && one_in(m, 5)) {
    Event e = event_of(id, EVENT_CALLBACK, SIGMA_NONE);
    e.other = sigma_intern(m->s, "compare");
    emit(m, e);
  } else if (t->calls.len > 5 || (t->calls.len && one_in(m, 2))) {
    emit(m, event_of(id, one_in(m, 6) ? EVENT_UNWIND : EVENT_RET, vec_pop(&t->calls)));
  } else {
    uint32_t site = site_for(m, EVENT_CALL);
    vec_push(&t->calls, site);
    emit(m, event_of(id, EVENT_CALL, site));
  }
}

static uint64_t cell_value(const Object *o, const AtomicEffect *x) {
  uint64_t v = 0;
  for (unsigned b = x->bytes; b--;) v = v << 8 | o->bytes[x->first + b];
  return v;
}

// Now and then the program writes without an event.
static void atomic(Sim *m, uint32_t id) {
  static const uint8_t orders[3][5] = {
      {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_SEQ_CST, ORDER_ACQUIRE, ORDER_RELAXED},
      {ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST, ORDER_RELEASE, ORDER_RELAXED},
      {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST}};
  char text[EFFECT_TEXT];
  bool awaits = one_in(m, 6);
  if (awaits) emit(m, event_of(id, SYNC_AWAIT, site_for(m, SYNC_AWAIT)));
  Event e = on(m, id, SYNC_ATOMIC, object_for(m, SYNC_CELL));
  Object *o = object_of(m, &e);
  AtomicEffect x = {.kind = (uint8_t)(awaits ? 2 * below(m, 2) : below(m, 3)),
                    .bytes = (uint8_t)(1u << below(m, 4))};
  x.order = orders[x.kind][below(m, 5)];
  x.first = (uint8_t)(x.bytes * below(m, 8u / x.bytes));
  if (one_in(m, 16)) o->bytes[x.first] ^= 9, e.wake = EVENT_ANEW;
  x.has_was = x.kind != EFFECT_WRITE && (e.wake == EVENT_ANEW || !one_in(m, 4));
  x.was = x.has_was ? cell_value(o, &x) : 0;
  for (unsigned b = x.first; x.kind != EFFECT_READ && b < x.first + x.bytes; ++b)
    o->bytes[b] = (uint8_t)below(m, 3);
  x.has_now = x.kind != EFFECT_READ && !one_in(m, 4);
  x.now = x.has_now ? cell_value(o, &x) : 0;
  effect_print(&x, text);
  e.other = sigma_intern(m->s, text);
  emit(m, e);
}

static void fence(Sim *m, uint32_t id) {
  char text[EFFECT_TEXT];
  Event e = event_of(id, SYNC_FENCE, site_for(m, SYNC_FENCE));
  AtomicEffect x = {.kind = EFFECT_FENCE, .order = (uint8_t)(1 + below(m, ORDER_SEQ_CST))};
  effect_print(&x, text);
  e.other = sigma_intern(m->s, text);
  emit(m, e);
}

static void leave(Sim *m, uint32_t id, bool by_call) {
  Thread *t = &m->threads[id];
  if (!by_call && t->calls.len) {
    emit(m, event_of(id, EVENT_RET, vec_pop(&t->calls)));
    return;
  }
  t->stage = EXITED;
  emit(m, event_of(id, SYNC_EXIT, by_call ? site_for(m, SYNC_EXIT) : SIGMA_NONE));
}

static void act(Sim *m, uint32_t id) {
  Thread *t = &m->threads[id];
  if (t->cancelled) {
    leave(m, id, true);
    return;
  }
  if (m->o.crowd && !one_in(m, 4)) {
    if (holds(m, id, m->first[SYNC_MUTEX]) && one_in(m, 2))
      wait(m, id);
    else if (t->locks || one_in(m, 3))
      wake(m, id);
    else
      lock(m, id, SYNC_MUTEX);
    return;
  }
  if (t->locks && one_in(m, 2)) {
    release_one(m, id);
    return;
  }
  bool alone = m->o.plain || m->o.calm;  // one lock at a time
  switch (below(m, m->o.plain ? 6 : 20)) {
    case 0:
      create(m, id);
      break;
    case 1:
      about_thread(m, id);
      break;
    case 2:
      call(m, id);
      break;
    case 3:
    case 4:
    case 5:
      if (!alone || !t->locks) lock(m, id, SYNC_MUTEX);
      break;
    case 6:
      if (!alone || !t->locks) lock(m, id, SYNC_RWLOCK);
      break;
    case 7:
      if (!alone || !t->locks) lock(m, id, SYNC_SPIN);
      break;
    case 8:
      wait(m, id);
      break;
    case 9:
      wake(m, id);
      break;
    case 10:
      if (!m->o.calm && one_in(m, 3)) barrier(m, id);
      break;
    case 11:
      acquire(m, id);
      break;
    case 12:
      post(m, id);
      break;
    case 13:
      if (!alone || !t->locks) once(m, id);
      break;
    case 14:
      if (one_in(m, 8)) emit(m, event_of(id, SYNC_TESTCANCEL, site_for(m, SYNC_TESTCANCEL)));
      break;
    case 15:
    case 16:
    case 17:
      atomic(m, id);
      break;
    case 18:
      if (one_in(m, 2)) fence(m, id);
      break;
    default:
      if (id && !m->o.calm && one_in(m, 12)) leave(m, id, one_in(m, 2));
  }
}

static uint32_t find_unjoined(const Sim *m) {
  for (uint32_t t = 1; t < m->c->threads; ++t)
    if (m->threads[t].stage == EXITED && !m->threads[t].joined && !m->threads[t].detached) return t;
  return SIGMA_NONE;
}

// What is left to do when the program comes to its end. False: nothing.
static bool wind_down(Sim *m, uint32_t id) {
  uint32_t unjoined = find_unjoined(m);
  if (m->threads[id].locks && !m->threads[id].cancelled) {
    release_one(m, id);
  } else if (id || m->threads[id].calls.len) {
    leave(m, id, m->threads[id].cancelled);
  } else if (unjoined != SIGMA_NONE) {
    Event e = event_of(id, SYNC_JOIN, site_for(m, SYNC_JOIN));
    e.other = unjoined;
    block(m, id, e, false);
  } else {
    return false;
  }
  return true;
}

static void enter(Sim *m, uint32_t id) {
  static const char *const routines[] = {"worker", "consumer", "std::thread::run<\"x y\">()", "\x01raw\xff"};
  m->threads[id].stage = RUNS;
  Event e = event_of(id, SYNC_ENTER, SIGMA_NONE);
  e.other = sigma_intern(m->s, routines[below(m, m->o.odd ? 4 : 2)]);
  emit(m, e);
}

// False: this thread can do nothing now.
static bool step(Sim *m, uint32_t id) {
  Thread *t = &m->threads[id];
  switch (t->stage) {
    case CREATED:
      enter(m, id);
      return true;
    case RUNS:
      if (m->draining) return wind_down(m, id);
      act(m, id);
      return true;
    case BLOCKED:
    case WAITS:
    case GATHERS:
      if (may_go(m, id)) return go(m, id), true;
      if (t->stage == WAITS && !t->ready && one_in(m, 40))
        return t->ready = true, t->next.wake = EVENT_SPURIOUS, true;
      if (!t->timed || (t->stage == WAITS && t->ready) || !one_in(m, 4)) return false;
      give_up(m, id);
      return true;
    default:
      return false;
  }
}

// Somebody who runs ends the process, if anybody does.
static void end(Sim *m) {
  uint32_t still = SIGMA_NONE, runs = SIGMA_NONE;
  for (uint32_t t = 0; t < m->c->threads; ++t) {
    if (m->threads[t].stage != EXITED) still = t;
    if (m->threads[t].stage == RUNS && runs == SIGMA_NONE) runs = t;
  }
  if (still == SIGMA_NONE) return;
  if (runs == SIGMA_NONE)
    m->c->incomplete = true;
  else
    leave(m, runs, runs || m->threads[runs].calls.len || one_in(m, 4));
}

static void make_objects(Sim *m) {
  for (int f = SYNC_MUTEX; f < SYNC_FUTEX; ++f) {
    m->first[f] = (uint32_t)m->c->objects.len;
    for (uint32_t i = 0; i < m->o.objects; ++i) {
      uint32_t id = schedule_add_object(m->c, (SyncFamily)f);
      SigmaObject *d = &m->c->objects.at[id];
      Object o = {.owner = SIGMA_NONE};
      if (f == SYNC_MUTEX && !m->o.plain) {
        d->recursive = one_in(m, 3);
        o.checked = one_in(m, 3);
        o.robust = d->robust = one_in(m, 2);
      }
      d->counted = f == SYNC_BARRIER_OBJECT || f == SYNC_SEMAPHORE;
      if (d->counted) d->amount = f == SYNC_SEMAPHORE ? below(m, 4) : 1 + below(m, 1 + m->o.threads / 2);
      o.value = f == SYNC_SEMAPHORE ? d->amount : 0;
      for (uint32_t t = 0; f == SYNC_RWLOCK && t < m->o.threads; ++t) vec_push(&o.reads, 0);
      if (m->o.odd && one_in(m, 2)) d->name = sigma_intern(m->s, one_in(m, 2) ? "queue lock" : "alloc.c:7");
      vec_push(&m->objects, o);
    }
  }
}

static uint32_t odd_text(Sim *m) {
  char text[12];
  uint32_t n = below(m, sizeof text);
  for (uint32_t i = 0; i < n; ++i) text[i] = (char)(1 + below(m, 255));
  return intern_id(m->s->texts, text, n);
}

static Term odd_constraint(Sim *m) {
  Terms *ts = m->s->terms;
  Term t[3] = {term_string(ts, sigma_text(m->s, odd_text(m))), term_env(ts, "HOME"),
               term_argv(ts, below(m, 9))};
  Term both[2] = {term_apply(ts, TERM_EQ, t, 3, NULL), term_bool(ts, one_in(m, 2))};
  return term_apply(ts, TERM_AND, both, 2, NULL);
}

static void make_odd(Sim *m) {
  Schedule *c = m->c;
  c->origin = (SigmaOrigin)below(m, 3);
  c->end = (SigmaEnd)below(m, 3);
  c->end_number = c->end == SIGMA_END_UNKNOWN ? 0 : below(m, 256);
  for (uint32_t i = below(m, 4); i--;) vec_push(&c->argv, odd_text(m));
  for (uint32_t i = below(m, 3); i--;)
    vec_push(&c->env, ((SigmaEnv){sigma_intern(m->s, "LANG"), one_in(m, 2) ? SIGMA_NONE : odd_text(m)}));
  for (uint32_t i = below(m, 3); i--;) {
    SigmaInput in = {.name = sigma_intern(m->s, "st din"), .hash = sigma_intern(m->s, "00ff"), .size = 77};
    if (one_in(m, 2)) {
      in.hash = SIGMA_NONE;
      in.size = below(m, 30);
      for (uint64_t k = 0; k < in.size; ++k) vec_push(&in.copy, (unsigned char)below(m, 256));
      in.lost = !in.size;
    }
    vec_push(&c->inputs, in);
  }
  if (one_in(m, 2)) {
    c->crash_thread = below(m, c->threads);
    c->crash_address = sim_random(&m->seed) >> below(m, 64);
    for (uint32_t i = below(m, 3); i--;)
      vec_push(&c->frames,
               ((SigmaFrame){sigma_intern(m->s, "ma in"), i ? sigma_intern(m->s, "x:y z.c") : SIGMA_NONE,
                             i ? 3 : 0, i ? 4 : 0}));
  }
  if (one_in(m, 2)) {
    c->at_file = sigma_intern(m->s, "my file.c");
    c->at_line = 1 + below(m, 99);
  }
  c->order = (SigmaOrder)below(m, 2);
  c->left_out = below(m, 3) * 1000;
  for (uint32_t i = below(m, 3); i--;)
    schedule_add_outside(
        c, (SigmaOutside){sigma_intern(m->s, i ? "lib\x1b odd.so" : "libodd.so"), below(m, 3), below(m, 9)});
  c->status = (SigmaStatus)below(m, 5);
  if (c->status != SIGMA_FALSE) c->when = odd_constraint(m);
}

void sim_schedule(Sigma *s, SimOptions o) {
  Sim m = {.seed = o.seed, .o = o, .s = s, .c = sigma_add_schedule(s)};
  m.threads = mem_array(o.threads, sizeof *m.threads);
  m.threads[0].stage = RUNS;
  make_objects(&m);
  for (uint32_t idle = 0, turns = 0; idle < 400 + 40 * o.threads && turns < 100 * o.events + 10000; ++turns) {
    uint32_t id = below(&m, m.c->threads);
    m.draining = m.c->events.len >= o.events;
    idle = step(&m, id) ? 0 : idle + 1;
    if (m.draining && one_in(&m, 100)) break;
  }
  end(&m);
  if (o.odd) make_odd(&m);
  for (uint32_t t = 0; t < o.threads; ++t) vec_free(&m.threads[t].calls);
  for (vec_each(i, &m.objects)) vec_free(&m.objects.at[i].reads);
  vec_free(&m.objects);
  mem_free(m.threads);
}

SimOptions sim_options(uint64_t seed) {
  uint64_t r = seed;
  SimOptions o = {.seed = seed};
  o.threads = 1 + sim_below(&r, one_in(&(Sim){.seed = seed}, 4) ? 20 : 5);
  o.events = sim_below(&r, 120);
  o.objects = 1 + sim_below(&r, 3);
  o.plain = sim_below(&r, 6) == 0;
  o.odd = sim_below(&r, 3) == 0;
  if (seed % 5 == 4)
    o = (SimOptions){.seed = seed, .threads = 12, .events = 150, .objects = 1, .crowd = true};
  return o;
}

Sigma *sim_sigma(SimOptions o) {
  Sigma *s = sigma_new(o.odd ? "./my \"prog\"" : "prog", "9c1e5a");
  if (o.odd) vec_push(&s->exclusions, ((SigmaExclusion){SYNC_MUTEX, sigma_intern(s, "alloc.c:malloc lock")}));
  sim_schedule(s, o);
  return s;
}

// What each kind of object allows, and which edges its events make. See walk.c.
#include <assert.h>
#include "walker.h"

static const Event *event_at(const Walker *k, uint32_t i) {
  return &k->c->events.at[i];
}

// Locks

static bool held(Walker *k, uint32_t i, uint32_t object, const LockState *l) {
  char *name = object_name(k, object);
  bool own = l->owner == event_at(k, i)->thread;
  wrong(k, i, "%s is held by t%u (event %u)%s", name, l->owner, l->taken,
        own ? ", and is not recursive" : "");
  mem_free(name);
  return false;
}

static bool not_held(Walker *k, uint32_t i, uint32_t object, const char *how) {
  char *name = object_name(k, object);
  wrong(k, i, "%s %s", name, how);
  mem_free(name);
  return false;
}

// Other processes may have done what no event tells.
static bool is_shared(const Walker *k, uint32_t object) {
  return k->c->objects.at[object].shared;
}

static void own(Walker *k, uint32_t i, uint32_t object, LockState *l) {
  l->owner = event_at(k, i)->thread;
  if (k->c->objects.at[object].robust) vec_push(&k->threads[l->owner].robust, object);
  l->depth = 1;
  l->taken = i;
}

static bool take(Walker *k, uint32_t i, uint32_t object, LockState *l) {
  if (k->settle && l->owner == event_at(k, i)->thread && k->settle->objects.at[object].family == SYNC_MUTEX)
    k->settle->objects.at[object].recursive = true;
  if (l->owner == event_at(k, i)->thread && k->c->objects.at[object].recursive) return ++l->depth, true;
  if (l->owner != SIGMA_NONE) return held(k, i, object, l);
  edge(k, l->freed, i, true);
  own(k, i, object, l);
  return true;
}

static bool take_from_dead(Walker *k, uint32_t i, uint32_t object, LockState *l) {
  if (k->settle) k->settle->objects.at[object].robust = true;
  if (!k->c->objects.at[object].robust) return not_held(k, i, object, "is not robust");
  bool here = l->owner != SIGMA_NONE && k->threads[l->owner].stage == THREAD_EXITED;
  if (!here && !is_shared(k, object)) return not_held(k, i, object, "has no owner that exited");
  if (here) edge(k, k->threads[l->owner].exited, i, true);
  own(k, i, object, l);
  return l->dead = true;
}

// From then on attempts end otherwise.
void thread_exits(Walker *k, uint32_t i) {
  uint32_t t = event_at(k, i)->thread;
  for (vec_each(n, &k->threads[t].robust)) {
    LockState *l = &k->objects[k->threads[t].robust.at[n]].lock;
    if (l->owner == t) edges(k, &l->refused, i, false);
  }
}

// The attempt comes after the owner took it and before it lets go.
static void refuse(Walker *k, uint32_t i, uint32_t taken, Events *refused) {
  edge(k, taken, i, false);
  vec_push(refused, i);
}

static bool take_fails(Walker *k, uint32_t i, uint32_t object, LockState *l) {
  const Event *e = event_at(k, i);
  bool mine = l->owner == e->thread, recursive = k->c->objects.at[object].recursive;
  switch (e->outcome) {
    case SYNC_BUSY:
    case SYNC_TIMEDOUT:
      if (l->owner == SIGMA_NONE) return is_shared(k, object) || not_held(k, i, object, "is free");
      if (mine && recursive) return not_held(k, i, object, "is held by this thread and recursive");
      if (k->c->objects.at[object].robust && k->threads[l->owner].stage == THREAD_EXITED)
        return not_held(k, i, object, "is robust, and its owner has exited");
      if (!mine) refuse(k, i, l->taken, &l->refused);
      return true;
    case SYNC_DEADLK:
      return (mine && !recursive) || not_held(k, i, object, "is not held by this thread");
    case SYNC_AGAIN:
      return (mine && recursive) || not_held(k, i, object, "is not held by this thread, or is not recursive");
    case SYNC_NOTRECOVERABLE:
      edge(k, l->freed, i, false);
      return l->dead || is_shared(k, object) || not_held(k, i, object, "never had an owner that exited");
    default:
      return true;
  }
}

static bool let_go(Walker *k, uint32_t i, uint32_t object, LockState *l) {
  if (l->owner != event_at(k, i)->thread) {
    if (l->owner != SIGMA_NONE) return held(k, i, object, l);
    return not_held(k, i, object, "is free");
  }
  assert(l->depth);
  if (--l->depth) return true;
  edges(k, &l->refused, i, false);
  l->owner = SIGMA_NONE;
  l->freed = i;
  return true;
}

static bool lock_event(Walker *k, uint32_t i, LockState *l) {
  const Event *e = event_at(k, i);
  if (e->kind == SYNC_UNLOCK) {
    if (e->outcome == SYNC_OK) return let_go(k, i, e->object, l);
    return e->outcome != SYNC_PERM || l->owner != e->thread ||
           not_held(k, i, e->object, "is held by this thread");
  }
  if (e->outcome == SYNC_OK) return take(k, i, e->object, l);
  if (e->outcome == SYNC_OWNERDEAD) return take_from_dead(k, i, e->object, l);
  return take_fails(k, i, e->object, l);
}

// Read-write locks

static uint64_t seat(uint32_t object, uint32_t thread) {
  return (uint64_t)object << 32 | thread;
}

static Hold *hold_of(Walker *k, const Event *e, RwlockState *l) {
  uint64_t i = map_or(k->seats, seat(e->object, e->thread), 0);
  return i ? &l->holds.at[i - 1] : NULL;
}

static bool read_lock(Walker *k, uint32_t i, RwlockState *l) {
  const Event *e = event_at(k, i);
  if (l->writer.owner != SIGMA_NONE) return held(k, i, e->object, &l->writer);
  Hold *h = hold_of(k, e, l);
  if (h) return ++h->depth, true;
  edge(k, l->writer.freed, i, true);
  vec_push(&l->holds, ((Hold){e->thread, 1, i}));
  map_put(k->seats, seat(e->object, e->thread), l->holds.len);
  ++l->held;
  return true;
}

static bool read_unlock(Walker *k, uint32_t i, RwlockState *l, Hold *h) {
  assert(h->depth && l->held);
  if (--h->depth) return true;
  if (h == &l->holds.at[l->first]) edges(k, &l->writer.refused, i, false);
  h->thread = SIGMA_NONE;
  map_put(k->seats, seat(event_at(k, i)->object, event_at(k, i)->thread), 0);
  vec_push(&l->left, i);
  while (l->first < l->holds.len && l->holds.at[l->first].thread == SIGMA_NONE) ++l->first;
  if (!--l->held) l->first = l->holds.len = 0;
  return true;
}

static bool write_lock(Walker *k, uint32_t i, RwlockState *l) {
  const Event *e = event_at(k, i);
  if (l->held) return not_held(k, i, e->object, "is held by readers");
  edges(k, &l->left, i, true);
  return take(k, i, e->object, &l->writer);
}

static bool rwlock_refuses(Walker *k, uint32_t i, RwlockState *l) {
  const Event *e = event_at(k, i);
  bool writer = l->writer.owner != SIGMA_NONE, mine = l->writer.owner == e->thread || hold_of(k, e, l);
  bool readers = l->held && (e->kind == SYNC_LOCK || k->c->objects.at[e->object].prefer_writer);
  if (!writer && !readers && is_shared(k, e->object)) return true;
  if (!writer && !readers) return not_held(k, i, e->object, l->held ? "is held by readers only" : "is free");
  if (!mine) refuse(k, i, writer ? l->writer.taken : l->holds.at[l->first].taken, &l->writer.refused);
  return true;
}

static bool rwlock_event(Walker *k, uint32_t i, RwlockState *l) {
  const Event *e = event_at(k, i);
  if (e->kind == SYNC_UNLOCK && e->outcome == SYNC_OK) {
    Hold *h = hold_of(k, e, l);
    if (h) return read_unlock(k, i, l, h);
    if (l->held) return not_held(k, i, e->object, "is held by other readers");
    return let_go(k, i, e->object, &l->writer);
  }
  bool mine = l->writer.owner == e->thread || hold_of(k, e, l);
  switch (e->outcome) {
    case SYNC_OK:
      return e->kind == SYNC_LOCK ? write_lock(k, i, l) : read_lock(k, i, l);
    case SYNC_BUSY:
    case SYNC_TIMEDOUT:
      return rwlock_refuses(k, i, l);
    case SYNC_DEADLK:
      return mine || not_held(k, i, e->object, "is not held by this thread");
    case SYNC_PERM:
      return !mine || not_held(k, i, e->object, "is held by this thread");
    default:
      return true;
  }
}

// Condition variables

static void sift_up(Events *h, size_t i) {
  for (size_t up; i && h->at[up = (i - 1) / 2] > h->at[i]; i = up) {
    uint32_t x = h->at[up];
    h->at[up] = h->at[i];
    h->at[i] = x;
  }
}

static uint32_t pop_earliest(Events *h) {
  assert(h->len);
  uint32_t top = h->at[0], last = vec_pop(h);
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < h->len; i = child) {
    if (child + 1 < h->len && h->at[child + 1] < h->at[child]) ++child;
    if (h->at[child] >= last) break;
    h->at[i] = h->at[child];
  }
  if (h->len) h->at[i] = last;
  return top;
}

// The next event of the same thread.
static uint32_t next_of(const Walker *k, uint32_t i) {
  uint32_t t = event_at(k, i)->thread, at = k->w->begin[t] + k->w->position[i] + 1;
  return at < k->w->begin[t + 1] ? k->w->sequence[at] : SIGMA_NONE;
}

static void in_order(Walker *k, uint32_t i, CondState *c) {
  edge(k, c->last, i, false);
  c->last = i;
}

static bool wait_arrives(Walker *k, uint32_t i, CondState *c) {
  const Event *e = event_at(k, i);
  if (e->outcome != SYNC_OK) return true;
  if (c->waiting && c->mutex != e->other) {
    char *mutex = object_name(k, c->mutex);
    wrong(k, i, "others wait there with %s", mutex);
    mem_free(mutex);
    return false;
  }
  if (c->mutex != e->other) edge(k, c->departed, i, false);
  c->mutex = e->other;
  ++c->waiting;
  in_order(k, i, c);
  uint32_t depart = next_of(k, i);
  k->threads[e->thread].waker = SIGMA_NONE;
  if (depart != SIGMA_NONE && event_at(k, depart)->outcome == SYNC_OK &&
      event_at(k, depart)->wake == EVENT_WOKEN) {
    vec_push(&c->wakeable, depart);
    sift_up(&c->wakeable, c->wakeable.len - 1);
  }
  return let_go(k, i, e->other, &k->objects[e->other].lock);
}

// It is the earliest of those that nothing has woken, as all others depart later.
static void settle_spurious(Walker *k, uint32_t i, CondState *c) {
  assert(c->wakeable.len && c->wakeable.at[0] == i);
  pop_earliest(&c->wakeable);
  k->settle->events.at[i].wake = EVENT_SPURIOUS;
}

static uint32_t *nothing_by_event(const Walker *k) {
  uint32_t *all = mem_array(k->c->events.len, sizeof *all);
  memset(all, 0xff, k->c->events.len * sizeof *all);
  return all;
}

static void note_waker(Walker *k, uint32_t departs, uint32_t waker) {
  if (!k->w->waker) k->w->waker = nothing_by_event(k);
  k->w->waker[departs] = waker;
}

static bool wait_departs(Walker *k, uint32_t i, CondState *c) {
  const Event *e = event_at(k, i);
  LockState *mutex = &k->objects[e->other].lock;
  uint32_t waker = k->threads[e->thread].waker;
  bool woken = e->outcome == SYNC_OK && e->wake == EVENT_WOKEN;
  if (woken && waker == SIGMA_NONE && k->settle) {
    settle_spurious(k, i, c);
    woken = false;
  }
  if (woken && waker == SIGMA_NONE)
    return wrong(k, i, "nothing wakes it: no signal since event %u is left to wake it",
                 k->threads[e->thread].arrived);
  if (woken) note_waker(k, i, waker);
  if (woken)
    edge(k, waker, i, true);
  else
    in_order(k, i, c);
  assert(c->waiting);
  --c->waiting;
  c->departed = i;
  if (e->outcome == SYNC_OWNERDEAD) return take_from_dead(k, i, e->other, mutex);
  if (e->outcome == SYNC_NOTRECOVERABLE) return take_fails(k, i, e->other, mutex);
  return take(k, i, e->other, mutex);
}

static bool wait_event(Walker *k, uint32_t i, CondState *c) {
  const Event *e = event_at(k, i);
  enum { LATE = SYNC_OK | SYNC_TIMEDOUT | SYNC_OWNERDEAD | SYNC_NOTRECOVERABLE };
  if (k->c->objects.at[e->other].family != SYNC_MUTEX) return not_held(k, i, e->other, "is not a mutex");
  if (e->phase == EVENT_DEPART && !(e->outcome & LATE))
    return wrong(k, i, "a wait that fails at once must only arrive");
  if (e->phase == EVENT_ARRIVE && e->outcome & LATE & ~(unsigned)SYNC_OK)
    return wrong(k, i, "only a departing wait can be %s", sync_outcome_word(e->outcome));
  return e->phase == EVENT_ARRIVE ? wait_arrives(k, i, c) : wait_departs(k, i, c);
}

static bool wake_event(Walker *k, uint32_t i, CondState *c) {
  const Event *e = event_at(k, i);
  if (e->outcome != SYNC_OK) return true;
  in_order(k, i, c);
  while (c->wakeable.len) {
    k->threads[event_at(k, pop_earliest(&c->wakeable))->thread].waker = i;
    if (e->kind == SYNC_SIGNAL) break;
  }
  return true;
}

// Barriers

static void new_generation(Walker *k, uint32_t object, BarrierState *b) {
  if (!k->w->generation) {
    k->w->generation = nothing_by_event(k);
  }
  b->generation = (uint32_t)k->w->generations.len;
  vec_push(&k->w->generations, ((Generation){.object = object}));
  vec_push(&k->generations, ((GenerationState){0}));
}

// Who was not among those of the generation before must not slip into it. One waits for them all, further
// ones for that one: as they depart together it costs them nothing, and many newcomers take no more edges
// than there are events.
static void stay_out(Walker *k, uint32_t i, BarrierState *b) {
  if (b->before == SIGMA_NONE) return;
  uint32_t met = (uint32_t)map_or(k->seats, seat(event_at(k, i)->object, event_at(k, i)->thread), SIGMA_NONE);
  if (met == b->before) return;
  edge(k, b->newcomer, i, false);
  if (b->newcomer != SIGMA_NONE) return;
  b->newcomer = i;
  const Generation *g = &k->w->generations.at[b->before];
  for (uint32_t m = 0; m < g->count; ++m) edge(k, k->w->members.at[g->first + m], i, false);
}

static bool barrier_arrives(Walker *k, uint32_t i, BarrierState *b) {
  const Event *e = event_at(k, i);
  uint32_t count = k->c->objects.at[e->object].amount;
  if (e->outcome != SYNC_OK)
    return e->outcome != SYNC_SERIAL || wrong(k, i, "only a departing thread can be serial");
  if (b->generation == SIGMA_NONE) new_generation(k, e->object, b);
  k->w->generation[i] = b->generation;
  stay_out(k, i, b);
  map_put(k->seats, seat(e->object, e->thread), b->generation);
  vec_push(&b->arrived, i);
  if (b->arrived.len < count) return true;
  Generation *g = &k->w->generations.at[b->generation];
  g->first = (uint32_t)k->w->members.len;
  g->count = count;
  vec_append(&k->w->members, b->arrived.at, count);
  b->arrived.len = 0;
  b->before = b->generation;
  b->generation = b->newcomer = SIGMA_NONE;
  return true;
}

static bool barrier_departs(Walker *k, uint32_t i, const BarrierState *b) {
  const Event *e = event_at(k, i);
  uint32_t id = k->w->generation[k->threads[e->thread].arrived];
  uint32_t count = k->c->objects.at[e->object].amount;
  assert(id < k->generations.len);
  GenerationState *g = &k->generations.at[id];
  if (e->outcome == SYNC_INVAL) return wrong(k, i, "a wait that fails at once must only arrive");
  if (id == b->generation) return wrong(k, i, "%zu of %u threads have arrived", b->arrived.len, count);
  k->w->generation[i] = id;
  if (e->outcome == SYNC_SERIAL && g->serial) return wrong(k, i, "another thread was already the serial one");
  g->serial |= e->outcome == SYNC_SERIAL;
  if (++g->departed == count && !g->serial)
    return wrong(k, i, "none of %u threads was the serial one", count);
  return true;
}

static bool barrier_event(Walker *k, uint32_t i, BarrierState *b) {
  const Event *e = event_at(k, i);
  if (is_shared(k, e->object)) return true;
  if (!k->c->objects.at[e->object].counted)
    return not_held(k, i, e->object, "needs a count in its `object` line");
  return e->phase == EVENT_ARRIVE ? barrier_arrives(k, i, b) : barrier_departs(k, i, b);
}

// Semaphores

static bool is_cancelled(const Event *e) {
  return e->kind == SYNC_ACQUIRE && e->wake == EVENT_CANCELLED;
}

static bool acquire(Walker *k, uint32_t i, SemaphoreState *s) {
  const Event *e = event_at(k, i);
  uint32_t value = k->c->objects.at[e->object].amount;
  if (s->taken >= value) {
    bool here = s->taken - value < s->posts.len;
    if (!here) return is_shared(k, e->object) || not_held(k, i, e->object, "is at 0");
    edge(k, s->posts.at[s->taken - value], i, true);
  }
  ++s->taken;
  vec_push(&s->acquired, i);
  return true;
}

static bool semaphore_event(Walker *k, uint32_t i, SemaphoreState *s) {
  const Event *e = event_at(k, i);
  const SigmaObject *o = &k->c->objects.at[e->object];
  if (is_cancelled(e)) return true;
  if (!o->counted && !o->shared) return not_held(k, i, e->object, "needs a count in its `object` line");
  if (e->kind == SYNC_POST) {
    if (e->outcome != SYNC_OK) return true;
    edge(k, s->refused, i, false);
    vec_push(&s->posts, i);
    return true;
  }
  if (e->outcome == SYNC_OK) return acquire(k, i, s);
  if (e->outcome != SYNC_AGAIN && e->outcome != SYNC_TIMEDOUT) return true;
  if (o->shared) return true;
  if (o->amount + s->posts.len > s->taken) return not_held(k, i, e->object, "is not at 0");
  edges(k, &s->acquired, i, false);
  edge(k, s->refused, i, false);
  s->refused = i;
  return true;
}

// Once

static bool first_time(Walker *k, uint32_t i, const OnceState *o) {
  uint32_t object = event_at(k, i)->object;
  if (o->done != SIGMA_NONE) return not_held(k, i, object, "has already run");
  return o->running == SIGMA_NONE || not_held(k, i, object, "is running");
}

static bool once_event(Walker *k, uint32_t i, OnceState *o) {
  const Event *e = event_at(k, i);
  if (e->kind == SYNC_ONCE_END || e->kind == SYNC_ONCE_ABORT) {
    if (o->running != e->thread) return not_held(k, i, e->object, "is not run by this thread");
    *(e->kind == SYNC_ONCE_END ? &o->done : &o->left) = i;
    o->running = SIGMA_NONE;
    return true;
  }
  if (e->outcome == SYNC_RAN) {
    if (!first_time(k, i, o)) return false;
    edge(k, o->left, i, true);
    *(e->kind == SYNC_ONCE ? &o->done : &o->running) = e->kind == SYNC_ONCE ? i : e->thread;
    return true;
  }
  if (e->outcome != SYNC_OK) return true;
  if (o->done == SIGMA_NONE) return not_held(k, i, e->object, "has not run");
  edge(k, o->done, i, true);
  return true;
}

bool object_event(Walker *k, uint32_t i) {
  uint32_t object = event_at(k, i)->object;
  ObjectState *o = &k->objects[object];
  switch ((SyncFamily)k->c->objects.at[object].family) {
    case SYNC_MUTEX:
    case SYNC_SPIN:
      return lock_event(k, i, &o->lock);
    case SYNC_RWLOCK:
      return rwlock_event(k, i, &o->rwlock);
    case SYNC_COND:
      return event_at(k, i)->kind == SYNC_WAIT ? wait_event(k, i, &o->cond) : wake_event(k, i, &o->cond);
    case SYNC_BARRIER_OBJECT:
      return barrier_event(k, i, &o->barrier);
    case SYNC_SEMAPHORE:
      return semaphore_event(k, i, &o->semaphore);
    case SYNC_ONCE_FLAG:
      return once_event(k, i, &o->once);
    case SYNC_CELL:
      return atomic_event(k, i, &o->cell);
    default:
      return true;
  }
}

void object_start(Walker *k, uint32_t object) {
  static const LockState free = {.owner = SIGMA_NONE, .taken = SIGMA_NONE, .freed = SIGMA_NONE};
  ObjectState *o = &k->objects[object];
  switch ((SyncFamily)k->c->objects.at[object].family) {
    case SYNC_MUTEX:
    case SYNC_SPIN:
      o->lock = free;
      break;
    case SYNC_RWLOCK:
      o->rwlock.writer = free;
      break;
    case SYNC_COND:
      o->cond = (CondState){.last = SIGMA_NONE, .mutex = SIGMA_NONE, .departed = SIGMA_NONE};
      break;
    case SYNC_BARRIER_OBJECT:
      o->barrier = (BarrierState){.generation = SIGMA_NONE, .before = SIGMA_NONE, .newcomer = SIGMA_NONE};
      break;
    case SYNC_SEMAPHORE:
      o->semaphore.refused = SIGMA_NONE;
      break;
    case SYNC_ONCE_FLAG:
      o->once = (OnceState){SIGMA_NONE, SIGMA_NONE, SIGMA_NONE};
      break;
    case SYNC_CELL:
      o->cell = (CellState){.written = SIGMA_NONE, .last = SIGMA_NONE};
      break;
    default:
      break;
  }
}

void object_stop(Walker *k, uint32_t object) {
  ObjectState *o = &k->objects[object];
  switch ((SyncFamily)k->c->objects.at[object].family) {
    case SYNC_MUTEX:
    case SYNC_SPIN:
      vec_free(&o->lock.refused);
      break;
    case SYNC_RWLOCK:
      vec_free(&o->rwlock.writer.refused);
      vec_free(&o->rwlock.holds);
      vec_free(&o->rwlock.left);
      break;
    case SYNC_COND:
      vec_free(&o->cond.wakeable);
      break;
    case SYNC_BARRIER_OBJECT:
      vec_free(&o->barrier.arrived);
      break;
    case SYNC_CELL:
      vec_free(&o->cell.readers);
      break;
    case SYNC_SEMAPHORE:
      vec_free(&o->semaphore.posts);
      vec_free(&o->semaphore.acquired);
      break;
    default:
      break;
  }
}

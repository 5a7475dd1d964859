// What a walk through a schedule leaves behind, and what it kept on the way.
#include <assert.h>
#include "walker.h"

static const Event *event_at(const Schedule *c, uint32_t i) {
  assert(i < c->events.len);
  return &c->events.at[i];
}

// Position, sequence and begin say the same.
static void check_sequences(const Walk *w, const Schedule *c) {
  assert(!w->begin[0] && w->begin[c->threads] == c->events.len);
  for (uint32_t t = 0; t < c->threads; ++t) {
    assert(w->begin[t] <= w->begin[t + 1] && w->begin[t + 1] <= c->events.len);
    for (uint32_t k = w->begin[t]; k < w->begin[t + 1]; ++k) {
      uint32_t i = w->sequence[k];
      assert(event_at(c, i)->thread == t && w->position[i] == k - w->begin[t]);
      assert(k == w->begin[t] || w->sequence[k - 1] < i);
    }
  }
}

static void check_paths(const Walk *w, const Schedule *c) {
  for (uint32_t i = 0; i < c->events.len; ++i) {
    uint32_t path = w->path[i];
    if (path == SIGMA_NONE) continue;
    assert(path < i && c->events.at[path].thread == c->events.at[i].thread);
    assert(c->events.at[path].kind == EVENT_CALL || c->events.at[path].kind == EVENT_CALLBACK);
  }
}

static void check_generations(const Walk *w, const Schedule *c) {
  size_t members = 0;
  assert(!w->generation == !w->generations.len);
  for (uint32_t g = 0; g < w->generations.len; ++g) {
    const Generation *x = &w->generations.at[g];
    assert(x->object < c->objects.len && c->objects.at[x->object].family == SYNC_BARRIER_OBJECT);
    assert(!x->count || x->count == c->objects.at[x->object].amount);
    assert(x->first <= w->members.len && x->count <= w->members.len - x->first);
    for (uint32_t m = x->first; m < x->first + x->count; ++m) {
      const Event *e = event_at(c, w->members.at[m]);
      assert(e->phase == EVENT_ARRIVE && e->object == x->object && w->generation[w->members.at[m]] == g);
      assert(m == x->first || w->members.at[m - 1] < w->members.at[m]);
    }
    members += x->count;
  }
  assert(members == w->members.len);
  for (uint32_t i = 0; w->generation && i < c->events.len; ++i) {
    uint32_t g = w->generation[i];
    assert(g == SIGMA_NONE || (g < w->generations.len && c->events.at[i].kind == SYNC_BARRIER));
  }
}

void walk_check(const Walk *w, const Schedule *c) {
  check_sequences(w, c);
  check_paths(w, c);
  check_generations(w, c);
  for (vec_each(i, &w->edges)) {
    Edge e = w->edges.at[i];
    assert(e.from < e.to && e.to < c->events.len);
    assert(c->events.at[e.from].thread != c->events.at[e.to].thread);
    assert(!i || w->edges.at[i - 1].to <= e.to);
  }
}

static void check_thread(const Walker *k, uint32_t t) {
  const ThreadState *x = &k->threads[t];
  assert(x->stage <= THREAD_EXITED);
  assert((x->exited != SIGMA_NONE) == (x->stage == THREAD_EXITED));
  assert((x->created != SIGMA_NONE) == (t && x->stage != THREAD_UNBORN));
  assert((x->last == SIGMA_NONE) || event_at(k->c, x->last)->thread == t);
  assert(x->exited == SIGMA_NONE || x->exited == x->last);
  assert(x->arrived == SIGMA_NONE || (x->arrived <= x->last && event_at(k->c, x->arrived)->thread == t));
  assert(x->arrived == SIGMA_NONE || k->c->events.at[x->arrived].phase == EVENT_ARRIVE);
  for (vec_each(i, &x->robust)) assert(k->c->objects.at[x->robust.at[i]].robust);
}

static void check_lock(const Walker *k, const LockState *l) {
  assert((l->owner == SIGMA_NONE) == !l->depth);
  if (l->owner == SIGMA_NONE) return;
  assert(l->owner < k->c->threads && event_at(k->c, l->taken)->thread == l->owner);
}

static void check_rwlock(const Walker *k, const RwlockState *l) {
  uint32_t held = 0;
  check_lock(k, &l->writer);
  assert(l->first <= l->holds.len);
  for (vec_each(i, &l->holds)) {
    const Hold *h = &l->holds.at[i];
    bool gone = h->thread == SIGMA_NONE;
    assert(gone ? !h->depth : h->depth && h->thread < k->c->threads);
    assert(gone || i >= l->first);
    held += !gone;
  }
  assert(held == l->held && (!held || l->writer.owner == SIGMA_NONE));
}

// What nothing has woken yet is a heap of those who wait.
static void check_cond(const Walker *k, const CondState *c) {
  assert(c->wakeable.len <= c->waiting && c->waiting <= k->c->threads);
  assert(!c->waiting || k->c->objects.at[c->mutex].family == SYNC_MUTEX);
  for (vec_each(i, &c->wakeable)) {
    assert(event_at(k->c, c->wakeable.at[i])->phase == EVENT_DEPART);
    assert(!i || c->wakeable.at[(i - 1) / 2] < c->wakeable.at[i]);
  }
}

static void check_barrier(const Walker *k, uint32_t object, const BarrierState *b) {
  assert((b->generation == SIGMA_NONE) == !b->arrived.len);
  assert(!b->arrived.len || b->arrived.len < k->c->objects.at[object].amount);
  for (vec_each(i, &b->arrived)) assert(k->w->generation[b->arrived.at[i]] == b->generation);
}

static void check_object(const Walker *k, uint32_t object) {
  const ObjectState *o = &k->objects[object];
  switch ((SyncFamily)k->c->objects.at[object].family) {
    case SYNC_MUTEX:
    case SYNC_SPIN:
      check_lock(k, &o->lock);
      break;
    case SYNC_RWLOCK:
      check_rwlock(k, &o->rwlock);
      break;
    case SYNC_COND:
      check_cond(k, &o->cond);
      break;
    case SYNC_BARRIER_OBJECT:
      check_barrier(k, object, &o->barrier);
      break;
    case SYNC_SEMAPHORE:
      assert(o->semaphore.taken <= k->c->objects.at[object].amount + o->semaphore.posts.len);
      break;
    case SYNC_ONCE_FLAG:
      assert(o->once.running == SIGMA_NONE ||
             (o->once.running < k->c->threads && o->once.done == SIGMA_NONE));
      break;
    default:
      break;
  }
}

void walker_check(const Walker *k) {
  assert(k->generations.len == k->w->generations.len);
  for (uint32_t t = 0; t < k->c->threads; ++t) check_thread(k, t);
  for (uint32_t o = 0; o < k->c->objects.len; ++o) check_object(k, o);
}

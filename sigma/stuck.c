#include "stuck.h"
#include <assert.h>
#include "held.h"

typedef struct {
  const Schedule *c;
  Holders *held;
  bool *stuck;      // by place in standing
  uint32_t *stand;  // by thread: its place in standing
  bool *lives;      // by thread
} Judge;

static bool goes_on(const Judge *j, uint32_t thread) {
  return j->lives[thread] && (j->stand[thread] == SIGMA_NONE || !j->stuck[j->stand[thread]]);
}

static bool any_goes_on(const Judge *j) {
  for (uint32_t t = 0; t < j->c->threads; ++t)
    if (goes_on(j, t)) return true;
  return false;
}

// Nobody, too: code that is not recorded may have it.
static bool may_get_lock(const Judge *j, const Event *e) {
  bool owned = false;
  for (uint32_t t = 0; t < j->c->threads; ++t) {
    const HeldLock *l = held_as(j->held, t, e->object);
    if (!l || !held_conflict(l->shared, e->kind == SYNC_RDLOCK)) continue;
    owned = true;
    if (!goes_on(j, t)) return false;
  }
  return !owned || any_goes_on(j);
}

static bool may_go_on(const Judge *j, const Event *e) {
  if (e->kind == SYNC_JOIN) return !j->lives[e->other] || goes_on(j, e->other);
  if (e->object != SIGMA_NONE && j->c->objects.at[e->object].shared) return true;
  if (e->kind == SYNC_LOCK || e->kind == SYNC_RDLOCK) return may_get_lock(j, e);
  return any_goes_on(j);
}

static void look_at_events(Judge *j) {
  const Schedule *c = j->c;
  j->lives[0] = true;
  for (uint32_t i = 0; i < c->events.len; ++i) {
    const Event *e = &c->events.at[i];
    held_pass(j->held, i);
    if (e->kind == SYNC_CREATE && e->other != SIGMA_NONE) j->lives[e->other] = true;
    if (e->kind == SYNC_EXIT) j->lives[e->thread] = false;
  }
}

static void judge_begin(Judge *j, const Schedule *c) {
  *j = (Judge){.c = c, .held = held_new(c)};
  j->stuck = mem_array(c->standing.len + 1, sizeof *j->stuck);
  j->stand = mem_array(c->threads, sizeof *j->stand), j->lives = mem_array(c->threads, sizeof *j->lives);
  memset(j->stand, 0xff, c->threads * sizeof *j->stand);
  look_at_events(j);
  for (uint32_t i = 0; i < c->standing.len; ++i) j->stand[c->standing.at[i].thread] = i, j->stuck[i] = true;
}

static bool *judge_end(Judge *j) {
  held_free(j->held);
  mem_free(j->stand), mem_free(j->lives);
  return j->stuck;
}

static void find_stuck(Judge *j, size_t *count) {
  *count = j->c->standing.len;
  for (bool again = true; again;) {
    again = false;
    for (vec_each(i, &j->c->standing))
      if (j->stuck[i] && may_go_on(j, &j->c->standing.at[i])) j->stuck[i] = false, again = true, --*count;
  }
}

bool *stuck_threads(const Schedule *c, size_t *count) {
  Judge j;
  judge_begin(&j, c);
  find_stuck(&j, count);
  return judge_end(&j);
}

static bool waits_for(const Judge *j, const Event *e, uint32_t other) {
  if (e->kind == SYNC_JOIN) return e->other == other;
  if (e->kind != SYNC_LOCK && e->kind != SYNC_RDLOCK) return false;
  const HeldLock *l = held_as(j->held, other, e->object);
  return l && held_conflict(l->shared, e->kind == SYNC_RDLOCK);
}

static bool is_waited_for(const Judge *j, uint32_t thread) {
  for (vec_each(i, &j->c->standing))
    if (j->stuck[i] && waits_for(j, &j->c->standing.at[i], thread)) return true;
  return false;
}

bool *stuck_ring(const Schedule *c, size_t *count) {
  Judge j;
  judge_begin(&j, c);
  find_stuck(&j, count);
  for (bool again = true; again;) {
    again = false;
    for (vec_each(i, &c->standing)) {
      const Event *e = &c->standing.at[i];
      bool owned = e->kind == SYNC_LOCK || e->kind == SYNC_RDLOCK || e->kind == SYNC_JOIN;
      if (!j.stuck[i] || !owned || *count == 1 || is_waited_for(&j, e->thread)) continue;
      j.stuck[i] = false, again = true, --*count;
    }
  }
  return judge_end(&j);
}

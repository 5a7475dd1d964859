// What everything that reads a Σ takes for granted. What stands in a file is looked at when it is read
// (read.c); what cannot have happened is for the orders to say (walk.c).
#include <assert.h>
#include "effect.h"
#include "model.h"

static bool is_text(const Sigma *s, uint32_t text) {
  return text < intern_count(s->texts);
}
static bool may_be_text(const Sigma *s, uint32_t text) {
  return text == SIGMA_NONE || is_text(s, text);
}

static void check_sites(const Sigma *s) {
  assert(map_count(s->site_of_name) == s->sites.len);
  for (vec_each(i, &s->sites)) {
    const SigmaSite *site = &s->sites.at[i];
    assert(is_text(s, site->name) && may_be_text(s, site->file));
    assert(map_or(s->site_of_name, site->name, SIGMA_NONE) == i);
    assert(site->kind > SYNC_ENTER && site->kind <= EVENT_CALL && event_count(site->kind));
    assert(site->kind != EVENT_CALL || site->derived);
    assert(!site->excluded || site->kind == SYNC_LOCK || site->kind == SYNC_UNLOCK);
    assert(!site->excluded || !site->derived);
  }
}

static void check_accesses(const Sigma *s) {
  Map *seen = map_new();
  for (vec_each(i, &s->accesses)) {
    const SigmaAccess *a = &s->accesses.at[i];
    assert(is_text(s, a->name) && may_be_text(s, a->file));
    map_put(seen, (uint64_t)a->name << 1 | a->writes, 1);
  }
  assert(map_count(seen) == s->accesses.len);
  map_free(seen);
}

// `all` says everything.
static void check_atomics(const Sigma *s) {
  Map *seen = map_new();
  for (vec_each(i, &s->atomics)) {
    assert(is_text(s, s->atomics.at[i]));
    assert(s->atomics.len == 1 || strcmp(sigma_text(s, s->atomics.at[i]), "all"));
    map_put(seen, s->atomics.at[i], 1);
  }
  assert(map_count(seen) == s->atomics.len);
  map_free(seen);
}

static void check_exclusions(const Sigma *s) {
  Map *seen = map_new();
  for (vec_each(i, &s->exclusions)) {
    const SigmaExclusion *x = &s->exclusions.at[i];
    assert(is_text(s, x->name) && (x->family == SYNC_MUTEX || x->family == SYNC_SPIN));
    map_put(seen, (uint64_t)x->family << 32 | x->name, 1);
  }
  assert(map_count(seen) == s->exclusions.len);
  map_free(seen);
}

// Where the schedule is from and for which runs it is.
static void check_run(const Sigma *s, const Schedule *c) {
  assert(c->origin <= SIGMA_WRITTEN && c->end <= SIGMA_SIGNAL && c->end_number <= 255);
  assert(c->order <= SIGMA_TOTAL && c->status <= SIGMA_FALSE);
  for (vec_each(i, &c->argv)) assert(is_text(s, c->argv.at[i]));
  for (vec_each(i, &c->env)) assert(is_text(s, c->env.at[i].name) && may_be_text(s, c->env.at[i].value));
  for (vec_each(i, &c->inputs)) {
    const SigmaInput *in = &c->inputs.at[i];
    assert(is_text(s, in->name) && may_be_text(s, in->hash));
    assert(in->hash == SIGMA_NONE || !in->copy.len);
    assert(in->lost || in->hash != SIGMA_NONE || in->size == in->copy.len);
  }
  assert(c->crash_thread == SIGMA_NONE ? !c->frames.len : c->crash_thread < c->threads);
  for (vec_each(i, &c->frames))
    assert(is_text(s, c->frames.at[i].function) && may_be_text(s, c->frames.at[i].file));
  assert(may_be_text(s, c->at_file) && (c->at_file == SIGMA_NONE) == !c->at_line);
  assert(term_at(s->terms, c->when).type == TERM_IS_BOOL);
  assert(may_be_text(s, c->because) && (c->because == SIGMA_NONE || c->status == SIGMA_FALSE));
}

static void check_objects(const Sigma *s, const Schedule *c) {
  Map *seen = map_new();
  for (vec_each(i, &c->objects)) {
    const SigmaObject *o = &c->objects.at[i];
    bool counts = o->family == SYNC_BARRIER_OBJECT || o->family == SYNC_SEMAPHORE;
    assert(o->family > SYNC_THREAD && o->family <= SYNC_FUTEX && may_be_text(s, o->name));
    assert((!o->recursive && !o->robust) || o->family == SYNC_MUTEX);
    assert(!o->shared || (o->family != SYNC_ONCE_FLAG && o->family != SYNC_CELL && o->family != SYNC_FUTEX));
    assert(!o->prefer_writer || o->family == SYNC_RWLOCK);
    assert(o->counted ? counts && o->amount <= INT32_MAX : !o->amount);
    assert(!o->counted || o->family != SYNC_BARRIER_OBJECT || o->amount);
    assert(o->number < c->next_number[o->family]);
    map_put(seen, (uint64_t)o->family << 32 | o->number, 1);
  }
  assert(map_count(seen) == c->objects.len);
  map_free(seen);
}

static bool is_effect(const Sigma *s, const Event *e) {
  AtomicEffect effect;
  return is_text(s, e->other) && effect_parse(sigma_text(s, e->other), &effect) &&
         (effect.kind == EFFECT_FENCE) == (e->kind == SYNC_FENCE);
}

static void check_operands(const Sigma *s, const Schedule *c, const Event *e, uint32_t threads) {
  unsigned shape = event_shape(e->kind);
  bool site = e->site != SIGMA_NONE, object = e->object != SIGMA_NONE, other = e->other != SIGMA_NONE;
  assert(site ? shape & (EVENT_HAS_SITE | EVENT_MAY_SITE) : !(shape & EVENT_HAS_SITE));
  assert(!site || e->site < s->sites.len);
  assert(object ? shape & (EVENT_HAS_OBJECT | EVENT_MAY_OBJECT) : !(shape & EVENT_HAS_OBJECT));
  assert(!object || e->object < c->objects.len);
  if (shape & EVENT_HAS_MUTEX)
    assert(e->other < c->objects.len);
  else if (shape & EVENT_MAY_THREAD)
    assert(other ? e->other < threads : e->outcome != SYNC_OK);
  else if (shape & EVENT_HAS_FUNCTION)
    assert(is_text(s, e->other));
  else if (shape & EVENT_HAS_EFFECT)
    assert(is_effect(s, e));
  else if (shape & EVENT_HAS_ACCESS)
    assert(e->other < s->accesses.len);
  else
    assert(!other);
}

// Threads exist from their create on, and are numbered in that order.
static void check_events(const Sigma *s, const Schedule *c) {
  uint32_t threads = 1;
  assert(c->events.len <= INT32_MAX);
  for (vec_each(i, &c->events)) {
    const Event *e = &c->events.at[i];
    assert(e->kind < EVENT_KINDS && event_count(e->kind) && e->thread < threads);
    assert(e->phase <= EVENT_DEPART && (event_count(e->kind) == 2) == (e->phase != EVENT_WHOLE));
    assert(sync_outcome_word((SyncOutcome)e->outcome));
    assert(e->wake <= EVENT_ANEW);
    bool departs = e->kind == SYNC_WAIT && e->phase == EVENT_DEPART;
    bool ends = e->kind == SYNC_EXIT && e->site == SIGMA_NONE;
    bool fits = e->wake == EVENT_CANCELLED ? event_may_be_cancelled(e)
                : e->wake == EVENT_ENDED   ? ends
                : e->wake == EVENT_ANEW    ? e->kind == SYNC_ATOMIC
                                           : departs;
    assert(e->wake == EVENT_WOKEN || (fits && e->outcome == SYNC_OK));
    if (e->kind == SYNC_CREATE && e->other != SIGMA_NONE) ++threads;
    assert(e->kind != SYNC_CREATE || e->other == SIGMA_NONE || e->other == threads - 1);
    check_operands(s, c, e, threads);
  }
  assert(threads == c->threads);
  for (vec_each(i, &c->standing)) {
    const Event *e = &c->standing.at[i];
    assert(e->thread < threads && event_may_stand(e) && e->outcome == SYNC_OK && c->incomplete);
    assert(!i || e[-1].thread < e->thread);
    check_operands(s, c, e, threads);
  }
}

void schedule_assert_whole(const Sigma *s, const Schedule *c) {
  check_run(s, c);
  check_objects(s, c);
  check_events(s, c);
}

void sigma_assert_whole(const Sigma *s) {
  assert(is_text(s, s->program) && is_text(s, s->module));
  terms_check(s->terms);
  check_sites(s);
  check_accesses(s);
  check_atomics(s);
  check_exclusions(s);
  for (vec_each(i, &s->schedules)) schedule_assert_whole(s, s->schedules.at[i]);
}

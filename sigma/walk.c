// What one pass keeps per thread and object is small, and each event is looked at once: time is linear in
// events plus edges. Edges are few: a release to the next acquire, a signal to the wait that it wakes, a post
// to the wait that takes its unit (first in, first out), and what keeps outcomes as they were (docs/sigma.md
// lists them).
//
// Which wait a signal wakes is not written down: of those that wait and are not woken yet it is the one that
// departs first. If any choice explains the schedule this one does (earliest deadline first on intervals).
#include "walk.h"
#include <assert.h>
#include "file.h"
#include "walker.h"

bool wrong(Walker *k, uint32_t event, const char *fmt, ...) {
  const Event *e = &k->c->events.at[event];
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  Bytes line = {0};
  event_print(k->s, k->c, event, &line);
  vec_push(&line, 0);
  Place where = {e->line ? k->s->file : NULL, e->line, 0};
  diag(k->diags, DIAG_ERROR, where, "event %u `%s`: %s", event, (char *)line.at, text);
  vec_free(&line);
  mem_free(text);
  return false;
}

void edge(Walker *k, uint32_t from, uint32_t to, bool credit) {
  if (from == SIGMA_NONE || k->c->events.at[from].thread == k->c->events.at[to].thread) return;
  assert(from < to);
  vec_push(&k->w->edges, ((Edge){.to = to, .from = from & INT32_MAX, .credit = credit}));
}

void edges(Walker *k, Events *from, uint32_t to, bool credit) {
  for (vec_each(i, from)) edge(k, from->at[i], to, credit);
  from->len = 0;
}

char *object_name(const Walker *k, uint32_t object) {
  const SigmaObject *o = &k->c->objects.at[object];
  return mem_format("%c%u", family_letter(o->family), o->number);
}

static void sort_by_thread(Walk *w, const Schedule *c) {
  size_t n = c->events.len;
  w->position = mem_array(n, sizeof *w->position);
  w->sequence = mem_array(n, sizeof *w->sequence);
  w->path = mem_array(n, sizeof *w->path);
  w->begin = mem_array(c->threads + 2, sizeof *w->begin);
  uint32_t *at = w->begin + 1;  // begins of the next thread while filling
  for (size_t i = 0; i < n; ++i) {
    assert(c->events.at[i].thread < c->threads);
    w->position[i] = at[c->events.at[i].thread + 1]++;
  }
  for (size_t t = 0; t < c->threads; ++t) at[t + 1] += at[t];
  for (uint32_t i = 0; i < n; ++i) w->sequence[at[c->events.at[i].thread] + w->position[i]] = i;
  memmove(w->begin, at, (c->threads + 1) * sizeof *at);
}

// Sites and outcomes that this kind of event can have.
static bool fits(Walker *k, uint32_t i) {
  const Event *e = &k->c->events.at[i];
  assert(e->kind < EVENT_KINDS && event_count(e->kind) &&
         (event_count(e->kind) == 2) == (e->phase != EVENT_WHOLE));
  if (e->site != SIGMA_NONE && k->s->sites.at[e->site].excluded)
    return wrong(k, i, "site %u is excluded", e->site);
  if (e->site != SIGMA_NONE && e->kind != SYNC_EXIT) {
    const SigmaSite *site = &k->s->sites.at[e->site];
    bool derived = e->kind >= EVENT_CALL;  // of others the operation itself may be called through a pointer
    if (derived ? !site->derived : site->kind != e->kind && site->kind != EVENT_CALL)
      return wrong(k, i, "site %u (%s) is %s %s", e->site, sigma_text(k->s, site->name),
                   event_word(site->kind), derived ? "and not derived" : "by its line");
  }
  if (e->kind == SYNC_UNMODELLED) return true;
  SyncFamily f = e->object == SIGMA_NONE ? SYNC_THREAD : (SyncFamily)k->c->objects.at[e->object].family;
  unsigned *known = &k->outcomes[f][e->kind];
  if (!*known) *known = event_outcomes(f, e->kind) | 1u << 31;
  if (!(*known & INT32_MAX)) return wrong(k, i, "a %s has no %s", family_word(f), event_word(e->kind));
  return *known & e->outcome ||
         wrong(k, i, "%s is not an outcome of %s", sync_outcome_word(e->outcome), event_word(e->kind));
}

// A witness ends with two accesses of two threads, and stands for no whole run.
static bool may_access(Walker *k, uint32_t i) {
  size_t n = k->c->events.len;
  if (!k->c->incomplete) return wrong(k, i, "only an incomplete schedule can end with accesses");
  if (i + 2 < n || n < 2 || k->c->events.at[n - 2].kind != EVENT_ACCESS ||
      k->c->events.at[n - 1].kind != EVENT_ACCESS)
    return wrong(k, i, "accesses must be the last two events of a schedule");
  return k->c->events.at[n - 2].thread != k->c->events.at[n - 1].thread ||
         wrong(k, i, "both accesses belong to t%u", k->c->events.at[i].thread);
}

// May this thread do this now?
static bool may_act(Walker *k, uint32_t i) {
  const Event *e = &k->c->events.at[i];
  const ThreadState *t = &k->threads[e->thread];
  if (t->stage == THREAD_UNBORN) return wrong(k, i, "t%u has not been created", e->thread);
  if (t->stage == THREAD_EXITED) return wrong(k, i, "t%u has exited (event %u)", e->thread, t->exited);
  if (t->stage == THREAD_CREATED && e->kind != SYNC_ENTER)
    return wrong(k, i, "t%u has not entered", e->thread);
  if (k->threads[0].stage == THREAD_EXITED && k->c->events.at[k->threads[0].exited].site == SIGMA_NONE)
    return wrong(k, i, "main has returned (event %u), which ends the process", k->threads[0].exited);
  if (t->arrived == SIGMA_NONE)
    return e->phase != EVENT_DEPART || wrong(k, i, "t%u has not arrived there", e->thread);
  const Event *a = &k->c->events.at[t->arrived];
  return (e->phase == EVENT_DEPART && a->kind == e->kind && a->site == e->site && a->object == e->object &&
          a->other == e->other) ||
         wrong(k, i, "t%u has not departed since it arrived (event %u)", e->thread, t->arrived);
}

static bool leaves(Walker *k, uint32_t i, StackStep step) {
  uint32_t thread = k->c->events.at[i].thread;
  if (!step.wrong) return true;
  if (step.around == SIGMA_NONE) return wrong(k, i, "t%u is in no call", thread);
  return wrong(k, i, "the innermost call of t%u is that of site %u (event %u)", thread,
               k->c->events.at[step.around].site, step.around);
}

static bool enters(Walker *k, uint32_t i) {
  ThreadState *t = &k->threads[k->c->events.at[i].thread];
  if (t->stage != THREAD_CREATED) return wrong(k, i, "t%u has already entered", k->c->events.at[i].thread);
  t->stage = THREAD_RUNS;
  edge(k, t->created, i, true);
  return true;
}

static bool exits(Walker *k, uint32_t i) {
  const Event *e = &k->c->events.at[i];
  ThreadState *t = &k->threads[e->thread];
  uint32_t open = stacks_inner(k->stacks, e->thread);
  if (e->wake == EVENT_ENDED && i + 1 < k->c->events.len)
    return wrong(k, i, "nothing can come after the end of the process");
  if (e->site == SIGMA_NONE && open != SIGMA_NONE)
    return wrong(k, i, "t%u returns from its routine inside a call (event %u)", e->thread, open);
  thread_exits(k, i);
  t->stage = THREAD_EXITED;
  t->exited = i;
  edges(k, &t->before_exit, i, false);
  return true;
}

static bool creates(Walker *k, uint32_t i) {
  const Event *e = &k->c->events.at[i];
  if (e->outcome != SYNC_OK)
    return e->other == SIGMA_NONE || wrong(k, i, "a failed create must not name a thread");
  ThreadState *child = &k->threads[e->other];
  if (child->stage != THREAD_UNBORN || !e->other) return wrong(k, i, "t%u exists already", e->other);
  if (e->other > 1 && k->threads[e->other - 1].stage == THREAD_UNBORN)
    return wrong(k, i, "t%u is created before t%u", e->other, e->other - 1);
  child->stage = THREAD_CREATED;
  child->created = i;
  return true;
}

static bool joins(Walker *k, uint32_t i) {
  const Event *e = &k->c->events.at[i];
  ThreadState *t = &k->threads[e->other];
  bool refused = e->outcome == SYNC_BUSY || e->outcome == SYNC_TIMEDOUT;
  if (!refused && e->outcome != SYNC_OK) return true;
  if (t->joined) return wrong(k, i, "t%u has already been joined", e->other);
  if (t->detached) return wrong(k, i, "t%u is detached", e->other);
  if (refused) {
    if (t->stage == THREAD_EXITED) return wrong(k, i, "t%u had exited (event %u)", e->other, t->exited);
    vec_push(&t->before_exit, i);
    return true;
  }
  if (t->stage != THREAD_EXITED) return wrong(k, i, "t%u has not exited", e->other);
  t->joined = true;
  edge(k, t->exited, i, true);
  return true;
}

// Of a cancellation and an exit, the first stays the first.
static bool cancels(Walker *k, uint32_t i) {
  ThreadState *t = &k->threads[k->c->events.at[i].other];
  if (t->cancel == SIGMA_NONE) t->cancel = i;
  if (t->stage == THREAD_EXITED)
    edge(k, t->exited, i, false);
  else
    vec_push(&t->before_exit, i);
  return true;
}

static bool detaches(Walker *k, uint32_t i) {
  uint32_t other = k->c->events.at[i].other;
  ThreadState *t = &k->threads[other];
  if (t->joined) return wrong(k, i, "t%u has already been joined", other);
  if (t->detached) return wrong(k, i, "t%u is already detached", other);
  return t->detached = true;
}

static bool thread_event(Walker *k, uint32_t i, StackStep step) {
  const Event *e = &k->c->events.at[i];
  switch (e->kind) {
    case SYNC_ENTER:
      return enters(k, i);
    case SYNC_EXIT:
      return exits(k, i);
    case SYNC_CREATE:
      return creates(k, i);
    case EVENT_CALL:
    case EVENT_CALLBACK:
    case EVENT_JUMP:
      return true;
    case EVENT_RET:
    case EVENT_UNWIND:
      return leaves(k, i, step);
    case SYNC_AWAIT:
      return await_event(k, i);
    case SYNC_FENCE:
      return fence_event(k, i);
    default:
      break;
  }
  if (!(event_shape(e->kind) & EVENT_MAY_THREAD) || e->other == SIGMA_NONE) return true;
  if (k->threads[e->other].stage == THREAD_UNBORN) return wrong(k, i, "t%u has not been created", e->other);
  edge(k, k->threads[e->other].created, i, false);
  if (e->wake == EVENT_CANCELLED) return true;
  if (e->kind == SYNC_JOIN) return joins(k, i);
  if (e->outcome != SYNC_OK) return true;
  return e->kind == SYNC_CANCEL ? cancels(k, i) : detaches(k, i);
}

static bool step(Walker *k, uint32_t i) {
  const Event *e = &k->c->events.at[i];
  ThreadState *t = &k->threads[e->thread];
  if (!fits(k, i) || !may_act(k, i) || (e->kind == EVENT_ACCESS && !may_access(k, i))) return false;
  StackStep stack = stacks_pass(k->stacks, i);
  k->w->path[i] = stack.around;
  if (e->wake == EVENT_CANCELLED) edge(k, t->cancel, i, false);
  bool ok =
      e->object == SIGMA_NONE || e->kind == SYNC_UNMODELLED ? thread_event(k, i, stack) : object_event(k, i);
  if (e->phase != EVENT_WHOLE)
    t->arrived = e->phase == EVENT_ARRIVE && e->outcome == SYNC_OK ? i : SIGMA_NONE;
  t->last = i;
  return ok;
}

// A run that was not killed ends when somebody ends the process, or when the last thread is gone.
static bool ends(Walker *k) {
  size_t n = k->c->events.len;
  if (k->c->incomplete) return true;
  uint32_t last = (uint32_t)n - 1, still = SIGMA_NONE;
  Place where = {k->c->line ? k->s->file : NULL, k->c->line, 0};
  if (!n || k->c->events.at[last].kind != SYNC_EXIT) {
    diag(k->diags, DIAG_ERROR, where, "the schedule does not end with an exit and is not marked incomplete");
    return false;
  }
  uint32_t thread = k->c->events.at[last].thread;
  for (uint32_t t = 0; t < k->c->threads; ++t)
    if (k->threads[t].stage != THREAD_EXITED) still = t;
  const Event *end = &k->c->events.at[last];
  if (still != SIGMA_NONE && thread && end->site == SIGMA_NONE && end->wake != EVENT_ENDED)
    return wrong(k, last, "t%u returns from its routine, but the process does not end: t%u has not exited",
                 thread, still);
  for (uint32_t t = 0; t < k->c->threads; ++t) edge(k, k->threads[t].last, last, false);
  return true;
}

static void start(Walker *k) {
  k->threads = mem_array(k->c->threads, sizeof *k->threads);
  for (uint32_t t = 0; t < k->c->threads; ++t) {
    ThreadState none = {
        .created = SIGMA_NONE, .exited = SIGMA_NONE, .last = SIGMA_NONE, .cancel = SIGMA_NONE};
    none.arrived = none.waker = none.fence = SIGMA_NONE;
    k->threads[t] = none;
  }
  k->threads[0].stage = THREAD_RUNS;
  k->stacks = stacks_new(k->c);
  k->objects = mem_array(k->c->objects.len, sizeof *k->objects);
  for (uint32_t o = 0; o < k->c->objects.len; ++o) object_start(k, o);
  k->seats = map_new();
}

static void stop(Walker *k) {
  for (uint32_t t = 0; t < k->c->threads; ++t) {
    vec_free(&k->threads[t].before_exit);
    vec_free(&k->threads[t].robust);
    vec_free(&k->threads[t].unfenced);
  }
  for (uint32_t o = 0; o < k->c->objects.len; ++o) object_stop(k, o);
  atomics_stop(k);
  CHECKED(stacks_check(k->stacks));
  stacks_free(k->stacks);
  mem_free(k->threads);
  mem_free(k->objects);
  vec_free(&k->generations);
  map_free(k->seats);
}

// What is excluded has no events.
static bool excludes(const Walker *k) {
  for (vec_each(i, &k->c->objects))
    for (vec_each(x, &k->s->exclusions)) {
      const SigmaObject *o = &k->c->objects.at[i];
      if (o->family != k->s->exclusions.at[x].family || o->name != k->s->exclusions.at[x].name) continue;
      char *name = object_name(k, (uint32_t)i);
      Place where = {k->c->line ? k->s->file : NULL, k->c->line, 0};
      diag(k->diags, DIAG_ERROR, where, "%s is %s, which is excluded", name, sigma_text(k->s, o->name));
      mem_free(name);
      return false;
    }
  return true;
}

static bool run(Walker *k) {
  assert(k->c->events.len <= INT32_MAX && k->c->threads);
  *k->w = (Walk){0};
  sort_by_thread(k->w, k->c);
  start(k);
  bool ok = excludes(k);
  for (uint32_t i = 0; i < k->c->events.len && ok; ++i) {
    ok = step(k, i);
    k->w->passed += ok;
  }
  ok = ok && ends(k);
  if (ok) CHECKED(walker_check(k)), CHECKED(walk_check(k->w, k->c));
  stop(k);
  return ok;
}

bool walk_run(Walk *w, const Sigma *s, const Schedule *c, Diags *diags) {
  return run(&(Walker){.w = w, .s = s, .c = c, .diags = diags});
}

bool walk_settle(const Sigma *s, Schedule *c, Diags *diags) {
  Walk w;
  bool ok = run(&(Walker){.w = &w, .s = s, .c = c, .settle = c, .diags = diags});
  walk_free(&w);
  return ok;
}

void walk_free(Walk *w) {
  mem_free(w->position);
  mem_free(w->sequence);
  mem_free(w->begin);
  mem_free(w->path);
  mem_free(w->generation);
  mem_free(w->waker);
  vec_free(&w->generations);
  vec_free(&w->members);
  vec_free(&w->edges);
}

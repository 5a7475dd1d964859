#include "witness.h"
#include <assert.h>

typedef struct {
  const Order *o;
  const Sigma *from;
  const Schedule *whole;
  Sigma *s;
  Schedule *c;
  uint32_t *object;  // of the whole: of the witness
} Maker;

static uint32_t text(Maker *k, uint32_t id) {
  return id == SIGMA_NONE ? SIGMA_NONE : sigma_intern(k->s, sigma_text(k->from, id));
}

// All sites: excluded ones are no events, and are left ordinary.
static void copy_sites(Maker *k) {
  for (vec_each(i, &k->from->atomics)) vec_push(&k->s->atomics, text(k, k->from->atomics.at[i]));
  for (vec_each(i, &k->from->exclusions)) {
    SigmaExclusion x = k->from->exclusions.at[i];
    x.name = text(k, x.name);
    vec_push(&k->s->exclusions, x);
  }
  for (vec_each(i, &k->from->sites)) {
    const SigmaSite *old = &k->from->sites.at[i];
    uint32_t id = sigma_add_site(k->s, sigma_text(k->from, old->name), old->kind),
             name = k->s->sites.at[id].name;
    k->s->sites.at[id] = *old;
    k->s->sites.at[id].name = name;
    k->s->sites.at[id].file = text(k, old->file);
  }
}

static void copy_inputs(Maker *k) {
  for (vec_each(i, &k->whole->argv)) vec_push(&k->c->argv, text(k, k->whole->argv.at[i]));
  for (vec_each(i, &k->whole->env)) {
    const SigmaEnv *e = &k->whole->env.at[i];
    vec_push(&k->c->env, ((SigmaEnv){text(k, e->name), text(k, e->value)}));
  }
  for (vec_each(i, &k->whole->inputs)) {
    const SigmaInput *old = &k->whole->inputs.at[i];
    SigmaInput in = {
        .lost = old->lost, .name = text(k, old->name), .hash = text(k, old->hash), .size = old->size};
    vec_append(&in.copy, old->copy.at, old->copy.len);
    vec_push(&k->c->inputs, in);
  }
}

static bool copy_constraint(Maker *k, Diags *d) {
  Bytes term = {0};
  k->c->status = k->whole->status;
  k->c->at_file = text(k, k->whole->at_file);
  k->c->at_line = k->whole->at_line;
  if (k->c->status == SIGMA_FALSE) return true;
  term_print(k->from->terms, k->whole->when, &term);
  k->c->when = term_parse(k->s->terms, span_of(term.at, term.len), d, (Place){.file = k->from->file});
  vec_free(&term);
  return k->c->when != TERM_NONE;
}

static uint32_t object(Maker *k, uint32_t old) {
  if (old == SIGMA_NONE || k->object[old] != SIGMA_NONE) return old == SIGMA_NONE ? old : k->object[old];
  SigmaObject o = k->whole->objects.at[old];
  uint32_t id = schedule_add_object(k->c, (SyncFamily)o.family), number = k->c->objects.at[id].number;
  o.name = text(k, o.name);
  o.number = number;
  k->c->objects.at[id] = o;
  return k->object[old] = id;
}

// Threads keep their numbers only if all before them are there: creates are numbered anew.
static void copy_event(Maker *k, uint32_t *thread, const Event *old) {
  Event e = *old;
  unsigned shape = event_shape(e.kind);
  e.line = 0;
  assert(!old->thread || thread[old->thread]);  // its create comes before it
  e.thread = thread[old->thread];
  e.object = object(k, old->object);
  if (e.other != SIGMA_NONE && shape & (EVENT_HAS_FUNCTION | EVENT_HAS_EFFECT)) e.other = text(k, e.other);
  if (e.other != SIGMA_NONE && shape & EVENT_HAS_MUTEX) e.other = object(k, e.other);
  if (e.other != SIGMA_NONE && shape & EVENT_MAY_THREAD) {
    if (e.kind == SYNC_CREATE) thread[e.other] = schedule_add_thread(k->c);
    assert(!e.other || thread[e.other]);
    e.other = thread[e.other];
  }
  vec_push(&k->c->events, e);
}

static bool is_needed(const Maker *k, uint32_t event, uint32_t begin) {
  return begin != SIGMA_NONE && (event == begin || order_before(k->o, event, begin));
}

static void copy_events(Maker *k, uint32_t *thread, const WitnessSide *a, const WitnessSide *b) {
  uint32_t begin_a = segment_begin(k->o, a->segment), begin_b = segment_begin(k->o, b->segment);
  for (uint32_t i = 0; i < k->whole->events.len; ++i)
    if (is_needed(k, i, begin_a) || is_needed(k, i, begin_b)) copy_event(k, thread, &k->whole->events.at[i]);
}

static void add_access(Maker *k, const uint32_t *thread, const WitnessSide *w) {
  SigmaAccess a = {.name = sigma_intern(k->s, w->name),
                   .file = w->file ? sigma_intern(k->s, w->file) : SIGMA_NONE,
                   .line = w->line,
                   .column = w->column,
                   .bytes = w->bytes,
                   .writes = w->writes};
  uint32_t id = 0;
  while (id < k->s->accesses.len &&
         (k->s->accesses.at[id].name != a.name || k->s->accesses.at[id].writes != a.writes))
    ++id;
  if (id == k->s->accesses.len) vec_push(&k->s->accesses, a);
  Event e = event_of(thread[w->segment.thread], EVENT_ACCESS, SIGMA_NONE);
  e.other = id;
  vec_push(&k->c->events, e);
}

// Whether the thread runs code there.
static bool runs_in(const Order *o, Segment s) {
  uint32_t begin = segment_begin(o, s);
  if (begin == SIGMA_NONE) return s.thread == 0;
  const Event *e = &order_schedule(o)->events.at[begin];
  return e->kind != SYNC_EXIT && !(e->phase == EVENT_ARRIVE && e->outcome == SYNC_OK);
}

static bool may_meet(const Order *o, const WitnessSide *a, const WitnessSide *b, Diags *d) {
  Place where = {order_sigma(o)->file, order_schedule(o)->line, 0};
  if (a->segment.thread == b->segment.thread)
    return diag(d, DIAG_ERROR, where, "both accesses belong to t%u", a->segment.thread), false;
  const Segment *idle = !runs_in(o, a->segment) ? &a->segment : !runs_in(o, b->segment) ? &b->segment : NULL;
  if (idle)
    return diag(d, DIAG_ERROR, where, "t%u runs no code before its event %u", idle->thread, idle->index),
           false;
  if (may_interfere(o, a->segment, b->segment, b->segment)) return true;
  diag(d, DIAG_ERROR, where, "the schedule orders %s of t%u and %s of t%u", a->name, a->segment.thread,
       b->name, b->segment.thread);
  return false;
}

// All but the events.
static bool begin(Maker *k, const Order *o, Diags *diags) {
  const Sigma *from = order_sigma(o);
  *k = (Maker){.o = o, .from = from, .whole = order_schedule(o)};
  k->s = sigma_new(sigma_text(from, from->program), sigma_text(from, from->module));
  k->s->file = "witness";
  copy_sites(k);
  k->c = sigma_add_schedule(k->s);
  k->c->origin = k->whole->origin;
  k->c->end = k->whole->end;
  k->c->end_number = k->whole->end_number;
  k->c->order = k->whole->order;
  k->c->incomplete = true;
  k->c->left_out = k->whole->left_out;
  k->object = mem_array(k->whole->objects.len + 1, sizeof *k->object);
  memset(k->object, 0xff, k->whole->objects.len * sizeof *k->object);
  for (vec_each(i, &k->whole->outside)) {
    SigmaOutside outside = k->whole->outside.at[i];
    outside.name = text(k, outside.name);
    vec_push(&k->c->outside, outside);
  }
  copy_inputs(k);
  return copy_constraint(k, diags);
}

static Sigma *finish(Maker *k, uint32_t *thread, bool ok) {
  mem_free(thread);
  mem_free(k->object);
  if (ok) CHECKED(sigma_assert_whole(k->s));
  if (ok) return k->s;
  sigma_free(k->s);
  return NULL;
}

Sigma *witness_make(const Order *o, WitnessSide a, WitnessSide b, Diags *diags) {
  assert(a.name && b.name && a.segment.thread < order_schedule(o)->threads);
  assert(b.segment.thread < order_schedule(o)->threads);
  if (!may_meet(o, &a, &b, diags)) return NULL;
  Maker k;
  bool ok = begin(&k, o, diags);
  uint32_t *thread = mem_array(k.whole->threads, sizeof *thread);
  copy_events(&k, thread, &a, &b);
  add_access(&k, thread, &a);
  add_access(&k, thread, &b);
  assert(schedule_is_witness(k.c));
  return finish(&k, thread, ok);
}

Sigma *witness_prefix(const Order *o, const uint32_t *upto, const Event *standing, size_t count,
                      Diags *diags) {
  Maker k;
  bool ok = begin(&k, o, diags);
  uint32_t *thread = mem_array(k.whole->threads, sizeof *thread);
  for (uint32_t i = 0; i < k.whole->events.len; ++i) {
    const Event *e = &k.whole->events.at[i];
    if (order_position(o, i) < upto[e->thread]) copy_event(&k, thread, e);
  }
  for (size_t i = 0; i < count; ++i) {
    Event e = standing[i];
    bool names = event_shape(e.kind) & EVENT_MAY_THREAD;
    assert(event_may_stand(&e) && e.outcome == SYNC_OK && (!i || standing[i - 1].thread < e.thread));
    assert(thread[e.thread] == e.thread && (!names || thread[e.other] == e.other));
    e.object = object(&k, e.object);
    if (e.other != SIGMA_NONE && event_shape(e.kind) & EVENT_HAS_MUTEX) e.other = object(&k, e.other);
    e.line = 0;
    vec_push(&k.c->standing, e);
  }
  return finish(&k, thread, ok);
}

static void take_variable(Sigma *w, const char *name, const char *value) {
  Schedule *c = w->schedules.at[0];
  SigmaEnv e = {sigma_intern(w, name), value ? sigma_intern(w, value) : SIGMA_NONE};
  for (vec_each(i, &c->env))
    if (c->env.at[i].name == e.name) {
      c->env.at[i] = e;
      return;
    }
  vec_push(&c->env, e);
}

// Only what the run read.
static void take_text(Sigma *w, const char *name, const SigmaInput *from) {
  Schedule *c = w->schedules.at[0];
  for (vec_each(i, &c->inputs)) {
    SigmaInput *in = &c->inputs.at[i];
    if (strcmp(sigma_text(w, in->name), name)) continue;
    in->lost = false, in->hash = SIGMA_NONE, in->size = from->size;
    in->copy.len = 0;
    vec_append(&in->copy, from->copy.at, from->copy.len);
  }
}

void witness_take_input(Sigma *w, const Sigma *from) {
  assert(w->schedules.len == 1 && from->schedules.len);
  Schedule *c = w->schedules.at[0];
  const Schedule *with = from->schedules.at[0];
  c->argv.len = 0;
  for (vec_each(i, &with->argv)) vec_push(&c->argv, sigma_intern(w, sigma_text(from, with->argv.at[i])));
  for (vec_each(i, &with->env))
    take_variable(w, sigma_text(from, with->env.at[i].name), sigma_text(from, with->env.at[i].value));
  for (vec_each(i, &with->inputs))
    take_text(w, sigma_text(from, with->inputs.at[i].name), &with->inputs.at[i]);
  c->origin = SIGMA_ENUMERATED;
  c->end = SIGMA_END_UNKNOWN;
  CHECKED(sigma_assert_whole(w));
}

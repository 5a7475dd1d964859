#include "standing.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include "findings.h"

typedef struct {
  Report *r;
  const Standing *s;
  const Schedule *c;
  EventStacks *stacks;
  Holders *held;
  uint32_t *done;      // by thread: events that have taken place
  uint32_t *routines;  // by thread: text
  Map *since;          // by event that took a lock which is held: its place in
  FindingFrames sinces;
} Picture;

static const char *named(Picture *p, const char *symbol) {
  char *name = symbol && p->s->name ? p->s->name(symbol) : NULL;
  const char *kept = report_intern(p->r, name ? name : symbol);
  mem_free(name);
  return kept;
}

static FindingFrame frame_of(Picture *p, uint32_t site) {
  FindingFrame f = {0};
  if (site == SIGMA_NONE) return f;
  const SigmaSite *at = &p->s->sigma->sites.at[site];
  const char *name = sigma_text(p->s->sigma, at->name), *ordinal = strrchr(name, '#');
  char *function = mem_format("%.*s", ordinal ? (int)(ordinal - name) : (int)strlen(name), name);
  f.function = named(p, function);
  f.file = report_intern(p->r, sigma_text(p->s->sigma, at->file));
  f.line = at->line, f.column = at->column;
  mem_free(function);
  return f;
}

static const char *object_name(Picture *p, uint32_t object) {
  const SigmaObject *o = &p->c->objects.at[object];
  const char *name = object_label(p->s->sigma, o);
  const char *plus = name ? strrchr(name, '+') : NULL;
  char *symbol = name ? mem_format("%.*s", plus ? (int)(plus - name) : (int)strlen(name), name) : NULL;
  const char *known = named(p, symbol);
  mem_free(symbol);
  return name ? report_print(p->r, "%s%s", known, plus ? plus : "")
              : report_print(p->r, "%c%" PRIu32, family_letter((SyncFamily)o->family), o->number);
}

static const char *does(const Event *e) {
  switch (e->kind) {
    case SYNC_RDLOCK:
      return "read-lock";
    case SYNC_ACQUIRE:
      return "semaphore";
    default:
      return sync_word((SyncKind)e->kind);
  }
}

// What stands in front of the place: the calls that are open, innermost first.
static void take_stack(Picture *p, const Event *e, FindingThread *t) {
  vec_push(&t->stack, frame_of(p, e->site));
  for (size_t i = stacks_depth(p->stacks, e->thread); i--;) {
    const Event *call = &p->c->events.at[stacks_at(p->stacks, e->thread, i)];
    if (call->kind == EVENT_CALL && call->site != e->site) vec_push(&t->stack, frame_of(p, call->site));
  }
}

static void take_holds(Picture *p, uint32_t thread, FindingThread *t) {
  const HeldLocks *all = held_by(p->held, thread);
  for (vec_each(i, all)) {
    const HeldLock *l = &all->at[i];
    FindingHold h = {object_name(p, l->object), l->shared, {0}};
    map_put(p->since, l->since, p->sinces.len);
    vec_push(&p->sinces, frame_of(p, p->c->events.at[l->since].site));
    vec_push(&t->holds, h);
  }
}

// Where locks were taken, in files of the user: the events once more.
static void find_sinces(Picture *p, Finding *f) {
  EventStacks *stacks = stacks_new(p->c);
  for (uint32_t i = 0; i < p->c->events.len; ++i) {
    uint64_t at;
    stacks_pass(stacks, i);
    if (!map_get(p->since, i, &at)) continue;
    uint32_t thread = p->c->events.at[i].thread;
    for (size_t k = stacks_depth(stacks, thread); k-- && !finding_is_own_file(p->sinces.at[at].file);) {
      const Event *call = &p->c->events.at[stacks_at(stacks, thread, k)];
      if (call->kind == EVENT_CALL) p->sinces.at[at] = frame_of(p, call->site);
    }
  }
  stacks_free(stacks);
  size_t next = 0;
  for (vec_each(i, &f->threads))
    for (vec_each(k, &f->threads.at[i].holds)) f->threads.at[i].holds.at[k].since = p->sinces.at[next++];
}

static void take_thread(Picture *p, const Event *e, FindingThread *t) {
  uint32_t routine = p->routines[e->thread];
  *t = (FindingThread){.thread = e->thread, .does = report_intern(p->r, does(e)), .on = FINDING_NONE};
  t->routine = routine == SIGMA_NONE ? NULL : named(p, sigma_text(p->s->sigma, routine));
  t->object = e->kind == SYNC_JOIN ? report_print(p->r, "T%" PRIu32, e->other) : object_name(p, e->object);
  take_stack(p, e, t);
  take_holds(p, e->thread, t);
  const FindingFrame *own = finding_own_frame(&t->stack);
  t->at = own ? *own : t->stack.at[0];
}

static bool keeps(const Picture *p, const Event *e, uint32_t other) {
  if (e->kind == SYNC_JOIN) return e->other == other;
  const HeldLock *l = held_as(p->held, other, e->object);
  return l && held_conflict(l->shared, e->kind == SYNC_RDLOCK);
}

static void take_owners(const Picture *p, Finding *f) {
  for (vec_each(i, &f->threads))
    for (vec_each(k, &f->threads))
      if (f->threads.at[i].on == FINDING_NONE && keeps(p, &p->s->standing[i], p->s->standing[k].thread))
        f->threads.at[i].on = (uint32_t)k;
}

static const char *kind_of(const Standing *s) {
  bool waits = false, barriers = false, joins = false;
  for (size_t i = 0; i < s->count; ++i) {
    int kind = s->standing[i].kind;
    waits |= kind == SYNC_WAIT || kind == SYNC_ACQUIRE;
    barriers |= kind == SYNC_BARRIER, joins |= kind == SYNC_JOIN;
  }
  return waits ? "wait" : barriers ? "barrier" : joins ? "join" : "locks";
}

static void take_side(Picture *p, size_t i, const Finding *f, FindingAccess *a) {
  const FindingThread *t = &f->threads.at[i];
  const Event *e = &p->s->standing[i];
  a->site = report_intern(p->r, sigma_text(p->s->sigma, p->s->sigma->sites.at[e->site].name));
  a->at = t->at, a->thread = t->thread, a->schedule = p->s->schedule, a->routine = t->routine;
  a->kind = FINDING_WAIT;
  vec_append(&a->stack, t->stack.at, t->stack.len);
  for (vec_each(k, &t->holds))
    vec_push(&a->locks, ((FindingLock){t->holds.at[k].object, t->holds.at[k].shared, t->holds.at[k].since}));
}

static void pass_events(Picture *p) {
  for (uint32_t i = 0; i < p->c->events.len; ++i) {
    uint32_t t = p->c->events.at[i].thread;
    if (p->s->upto && p->done[t] >= p->s->upto[t]) continue;
    ++p->done[t];
    stacks_pass(p->stacks, i);
    held_pass(p->held, i);
  }
}

// -- what it looks like in the source

static void put_frame(const FindingFrame *f, Bytes *out) {
  put(out, f->function ? f->function : "?");
  if (f->file) putf(out, " %s:%" PRIu32 ":%" PRIu32, file_base(f->file), f->line, f->column);
}

static const FindingHold *kept_from(const Finding *f, size_t owner) {
  const FindingThread *t = &f->threads.at[owner];
  for (vec_each(i, &f->threads))
    for (size_t k = 0; f->threads.at[i].on == owner && k < t->holds.len; ++k)
      if (!strcmp(t->holds.at[k].object, f->threads.at[i].object)) return &t->holds.at[k];
  return NULL;
}

// Of an array or a structure: its name up to the offset.
static void put_class(const char *object, Bytes *out) {
  vec_append(out, object, strcspn(object, "+"));
}

// A function that only locks is named by its caller too. Numbers say nothing: another run has others.
static char *thread_key(const Finding *f, size_t i) {
  const FindingThread *t = &f->threads.at[i];
  const FindingHold *h = kept_from(f, i);
  Bytes out = {0};
  putf(&out, "%s ", t->does);
  put_frame(&t->at, &out);
  bool wraps = h && h->since.line == t->at.line && h->since.column == t->at.column;
  if (wraps && t->stack.len > 1) put(&out, " from "), put_frame(&t->stack.at[1], &out);
  if (h) put(&out, ", has "), put_frame(&h->since, &out);
  if (strcspn(t->object, "0123456789") != 1) put(&out, " for "), put_class(t->object, &out);
  vec_push(&out, 0);
  return (char *)out.at;
}

static int by_text(const void *p, const void *q) {
  return strcmp(*(char *const *)p, *(char *const *)q);
}

static const char *key_of(Report *r, const Finding *f) {
  Strings all = {0};
  Bytes out = {0};
  for (vec_each(i, &f->threads)) vec_push(&all, thread_key(f, i));
  qsort(all.at, all.len, sizeof *all.at, by_text);
  for (vec_each(i, &all))
    if (!i || strcmp(all.at[i - 1], all.at[i])) put(&out, i ? "; " : ""), put(&out, all.at[i]);
  vec_push(&out, 0);
  const char *key = report_intern(r, (const char *)out.at);
  strings_free(&all);
  vec_free(&out);
  return key;
}

void finding_standing(Report *r, Finding *f, const Standing *s) {
  Picture p = {.r = r, .s = s, .c = s->sigma->schedules.at[s->schedule]};
  assert(s->count && !f->threads.len);
  p.stacks = stacks_new(p.c), p.held = held_new(p.c), p.routines = thread_routines(p.c);
  p.done = mem_array(p.c->threads, sizeof *p.done), p.since = map_new();
  pass_events(&p);
  for (size_t i = 0; i < s->count; ++i) {
    FindingThread t;
    take_thread(&p, &s->standing[i], &t);
    vec_push(&f->threads, t);
  }
  find_sinces(&p, f);
  take_owners(&p, f);
  f->kind = report_intern(r, kind_of(s));
  f->key = key_of(r, f);
  f->object.name = f->threads.at[0].object;
  take_side(&p, 0, f, &f->a);
  take_side(&p, s->count > 1, f, &f->b);
  stacks_free(p.stacks), held_free(p.held);
  mem_free(p.done), mem_free(p.routines);
  map_free(p.since), vec_free(&p.sinces);
}

void report_standing(const Sigma *s, uint32_t schedule, Bytes *out) {
  const Schedule *c = s->schedules.at[schedule];
  if (!schedule_stands(c)) return;
  Report *r = report_new();
  r->deadlocks = true;
  Finding *f = report_add(r);
  finding_standing(r, f, &(Standing){s, schedule, c->standing.at, c->standing.len, NULL, NULL});
  finding_threads_text(r, f, NULL, out);
  report_free(r);
}

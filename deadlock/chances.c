// Pairs of events of two threads on one object, neighbours in the recorded order, that nothing orders surely.
// The later one is taken first: with what it needs (reach), and with the other thread as far as it comes in
// front of its own.
#include "deadlock.h"
#include <assert.h>
#include "reach.h"
#include "wishes.h"

typedef struct {
  const DeadlockOptions *o;
  Map *tried;
  Intern *names;
  Chances *out;
  Order *order;
  const Schedule *c;
  Sure *sure;
  Wishes wishes;
  Reach *reach;
  uint32_t *taken;     // by object: the event that took it last
  uint32_t *door;      // by thread: where it took the mutex of the wait that it is in
  Vec(IdVec) waiting;  // by object: arrivals that wait
} Finder;

static bool is_wait(const Event *e) {
  return e->kind == SYNC_WAIT || e->kind == SYNC_ACQUIRE || e->kind == SYNC_BARRIER;
}

static const char *site_name(const Finder *f, uint32_t event) {
  const Event *e = &f->c->events.at[event];
  return sigma_text(f->o->sigma, f->o->sigma->sites.at[e->site].name);
}

static bool is_new(Finder *f, uint32_t early, uint32_t late) {
  const char *a = site_name(f, early), *b = site_name(f, late);
  uint64_t key = (uint64_t)intern_id(f->names, a, strlen(a)) << 32 | intern_id(f->names, b, strlen(b));
  uint64_t times = map_or(f->tried, key, 0);
  if (times >= 2) return false;
  map_put(f->tried, key, times + 1);
  return true;
}

// How many events of a thread come before this one.
static uint32_t before(const Finder *f, uint32_t thread, uint32_t event) {
  uint32_t low = 0, high = order_count(f->order, thread);
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (order_event(f->order, thread, middle) < event)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef struct {
  uint32_t early, late;
  uint32_t door;  // what the thread of late does first, if not itself
} Pairing;

static bool is_good(const Finder *f, const Pairing *p) {
  const uint32_t *upto = reach_upto(f->reach);
  return upto[f->c->events.at[p->door].thread] <= order_position(f->order, p->door) &&
         upto[f->c->events.at[p->early].thread] == order_position(f->order, p->early) + 1;
}

// The early event, and of these threads what was before it in the run; of the late one what comes before its
// door.
static bool reach_with(Finder *f, const Pairing *p, Ids threads) {
  const Event *e = &f->c->events.at[p->early], *l = &f->c->events.at[p->door];
  reach_forget(f->reach);
  reach_add(f->reach, e->thread, order_position(f->order, p->early) + 1);
  for (vec_each(i, &threads)) {
    uint32_t t = threads.at[i], upto = before(f, t, p->early);
    if (t == l->thread && upto > order_position(f->order, p->door)) upto = order_position(f->order, p->door);
    reach_add(f->reach, t, upto);
  }
  return is_good(f, p);
}

static void reach_most(Finder *f, const Pairing *p) {
  IdVec with = {0};
  for (uint32_t t = 0; t < f->c->threads; ++t) {
    vec_push(&with, t);
    if (!reach_with(f, p, ids_of(&with))) (void)vec_pop(&with);
  }
  reach_with(f, p, ids_of(&with));
  vec_free(&with);
}

static bool is_there(const Finder *f, const Pairing *p) {
  const Chance *last = f->out->len ? &vec_last(f->out) : NULL;
  return last && last->early == p->early && last->late == p->late &&
         !memcmp(last->upto, reach_upto(f->reach), f->c->threads * sizeof *last->upto);
}

static void add_chance(Finder *f, const Pairing *p) {
  if (is_there(f, p)) return;
  Diags *quiet = diags_new();
  Sigma *prefix = witness_prefix(f->order, reach_upto(f->reach), NULL, 0, quiet);
  Order *possible = prefix ? order_new(prefix, 0, quiet) : NULL;
  diags_free(quiet);
  if (possible) {
    uint32_t *upto = mem_array(f->c->threads, sizeof *upto);
    memcpy(upto, reach_upto(f->reach), f->c->threads * sizeof *upto);
    vec_push(f->out, ((Chance){prefix, p->early, p->late, upto}));
  } else {
    sigma_free(prefix);
  }
  order_free(possible);
}

static void try_pair(Finder *f, uint32_t early, uint32_t late, uint32_t door) {
  const Event *e = &f->c->events.at[early], *l = &f->c->events.at[late];
  Pairing p = {early, late, door};
  if (e->thread == l->thread || e->site == SIGMA_NONE || l->site == SIGMA_NONE) return;
  if (sure_known(f->sure, early, l->thread) > order_position(f->order, door) || !is_new(f, early, late))
    return;
  if (f->out->len >= LIMIT_DEADLOCK_CHANCES) {
    limit_reached(LIMIT_OF_DEADLOCK_CHANCES);
    return;
  }
  if (!reach_with(f, &p, (Ids){0})) return;
  reach_most(f, &p);
  add_chance(f, &p);
  reach_with(f, &p, (Ids){0});
  add_chance(f, &p);
}

static void wake(Finder *f, uint32_t i, const Event *e) {
  IdVec *all = &f->waiting.at[e->object];
  for (vec_each(k, all)) {
    uint32_t late = all->at[k], door = f->door[f->c->events.at[late].thread];
    try_pair(f, i, late, door == SIGMA_NONE ? late : door);
  }
}

static void leave(Finder *f, const Event *e) {
  IdVec *all = &f->waiting.at[e->object];
  for (size_t k = all->len; k--;)
    if (f->c->events.at[all->at[k]].thread == e->thread) all->at[k] = all->at[--all->len];
}

static void step(Finder *f, uint32_t i) {
  const Event *e = &f->c->events.at[i];
  uint32_t lock;
  bool takes = held_takes(e, &lock) && e->kind != SYNC_WAIT;
  bool acquires = e->kind == SYNC_ACQUIRE && e->outcome == SYNC_OK && e->wake != EVENT_CANCELLED;
  if (acquires) lock = e->object;
  if ((takes || acquires) && f->taken[lock] != SIGMA_NONE) try_pair(f, i, f->taken[lock], f->taken[lock]);
  if (takes || acquires) f->taken[lock] = i;
  if (takes) f->door[e->thread] = i;
  if (e->kind == SYNC_SIGNAL || e->kind == SYNC_BROADCAST) wake(f, i, e);
  if (e->kind == SYNC_WAIT && e->phase == EVENT_ARRIVE && e->outcome == SYNC_OK)
    vec_push(&f->waiting.at[e->object], i);
  if (e->kind == SYNC_WAIT && e->phase == EVENT_DEPART) leave(f, e);
}

static bool waits_at_all(const Schedule *c) {
  bool waits = false;
  for (size_t i = 0; !waits && i < c->events.len; ++i) waits = is_wait(&c->events.at[i]);
  return waits;
}

static uint32_t *nothing(size_t n) {
  uint32_t *all = mem_array(n + 1, sizeof *all);
  memset(all, 0xff, n * sizeof *all);
  return all;
}

bool chances_find(const DeadlockOptions *o, Map *tried, Intern *names, Chances *out, Diags *diags) {
  Finder f = {.o = o, .tried = tried, .names = names, .out = out, .c = o->sigma->schedules.at[o->schedule]};
  if (!waits_at_all(f.c)) return true;
  f.order = order_new(o->sigma, o->schedule, diags);
  if (!f.order) return false;
  wishes_find(f.order, o->endless, &f.wishes);
  f.sure = sure_new(f.order), f.reach = reach_new(f.order, f.sure, f.wishes.release);
  f.taken = nothing(f.c->objects.len), f.door = nothing(f.c->threads);
  for (vec_each(i, &f.c->objects)) vec_push(&f.waiting, ((IdVec){0}));
  for (uint32_t i = 0; i < f.c->events.len && !(o->stop && o->stop()); ++i) step(&f, i);
  for (vec_each(i, &f.waiting)) vec_free(&f.waiting.at[i]);
  vec_free(&f.waiting);
  mem_free(f.taken), mem_free(f.door);
  reach_free(f.reach), sure_free(f.sure), wishes_free(&f.wishes), order_free(f.order);
  return true;
}

void chances_free(Chances *c) {
  for (vec_each(i, c)) sigma_free(c->at[i].prefix), mem_free(c->at[i].upto);
  vec_free(c);
}

// -- what came of one

typedef struct {
  const DeadlockOptions *o;
  const Order *order;
  const Schedule *c;
  const Chance *chance;
  Vec(Event) standing;
  uint32_t *upto;
} Teller;

static bool may_stand_in(const Event *e) {
  bool arrives = (e->kind == SYNC_WAIT || e->kind == SYNC_BARRIER) && e->phase == EVENT_ARRIVE;
  return arrives || event_may_stand(e);
}

// The next event of the thread at this place, else the last one: there its calls and locks are known.
static uint32_t event_there(const Teller *t, const ChanceStood *s) {
  uint32_t site = sigma_site(t->o->sigma, s->site), found = SIGMA_NONE;
  for (uint32_t i = 0; i < order_count(t->order, s->thread); ++i) {
    uint32_t event = order_event(t->order, s->thread, i);
    const Event *e = &t->c->events.at[event];
    if (e->site != site || !may_stand_in(e) || e->outcome != SYNC_OK) continue;
    if (i >= t->chance->upto[s->thread]) return event;
    found = event;
  }
  return found;
}

static void add_standing(Teller *t, const ChanceStood *s) {
  uint32_t event = s->thread < t->c->threads ? event_there(t, s) : SIGMA_NONE;
  if (event == SIGMA_NONE) return;
  const Event *at = &t->c->events.at[event];
  Event e = event_of(s->thread, at->kind, at->site);
  e.object = at->object, e.other = at->kind == SYNC_JOIN ? s->joins : at->other;
  if (e.kind == SYNC_JOIN && (e.other == SIGMA_NONE || e.other >= t->c->threads)) return;
  bool begun = at->phase != EVENT_WHOLE;
  if (begun) e.phase = EVENT_DEPART;
  t->upto[s->thread] = order_position(t->order, event) + (begun && at->phase == EVENT_ARRIVE);
  vec_push(&t->standing, e);
  for (size_t i = t->standing.len - 1; i && t->standing.at[i - 1].thread > e.thread; --i) {
    t->standing.at[i] = t->standing.at[i - 1];
    t->standing.at[i - 1] = e;
  }
}

static const char *place_text(const Teller *t, Report *r, uint32_t event) {
  const Event *e = &t->c->events.at[event];
  const SigmaSite *s = &t->o->sigma->sites.at[e->site];
  if (s->file == SIGMA_NONE) return sigma_text(t->o->sigma, s->name);
  return report_print(r, "%s:%u", sigma_text(t->o->sigma, s->file), s->line);
}

static void add_finding(Teller *t, Report *out, Diags *diags) {
  // Who only joins a thread that stands is told if nobody else is.
  size_t others = 0, kept = 0;
  for (vec_each(i, &t->standing)) others += t->standing.at[i].kind != SYNC_JOIN;
  for (vec_each(i, &t->standing))
    if (!others || t->standing.at[i].kind != SYNC_JOIN) t->standing.at[kept++] = t->standing.at[i];
  t->standing.len = kept;
  Finding *f = report_add(out);
  finding_standing(
      out, f, &(Standing){t->o->sigma, t->o->schedule, t->standing.at, t->standing.len, t->upto, t->o->name});
  vec_push(&f->schedules, t->o->schedule);
  finding_input(out, f, t->o->sigma, t->o->schedule);
  f->status = FINDING_REPLAYED;
  f->followed = report_intern(out, "the program stood still until it was killed");
  f->why = report_print(out, "T%u went on past %s before T%u came to %s",
                        t->c->events.at[t->chance->early].thread, place_text(t, out, t->chance->early),
                        t->c->events.at[t->chance->late].thread, place_text(t, out, t->chance->late));
  Sigma *w = witness_prefix(t->order, t->chance->upto, t->standing.at, t->standing.len, diags);
  if (!w) return;
  finding_steps(out, f, w);
  if (!t->o->witnesses) {
    sigma_free(w);
    return;
  }
  f->witness = report_print(out, "%zu", t->o->witnesses->len);
  vec_push(t->o->witnesses, (Witnesses){0});
  vec_push(&vec_last(t->o->witnesses).of, w);
  vec_push(&vec_last(t->o->witnesses).inputs, ((WitnessInput){f->input, f->recorded, f->stdin_note}));
}

bool chance_tell(const DeadlockOptions *o, const Chance *c, const ChanceStood *stood, size_t count,
                 Report *out, Diags *diags) {
  Teller t = {.o = o, .c = o->sigma->schedules.at[o->schedule], .chance = c};
  Order *order = order_new(o->sigma, o->schedule, diags);
  if (!order) return false;
  t.order = order;
  t.upto = mem_array(t.c->threads, sizeof *t.upto);
  for (size_t i = 0; i < count; ++i) add_standing(&t, &stood[i]);
  bool known = t.standing.len != 0;
  if (known) add_finding(&t, out, diags);
  order_free(order);
  vec_free(&t.standing), mem_free(t.upto);
  return known;
}

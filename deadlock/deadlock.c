// A finding for each kind of cycle that looks the same in the source; for the first few of a kind a witness.
#include "deadlock.h"
#include <assert.h>
#include <stdlib.h>
#include "alike.h"
#include "meet.h"

typedef struct {
  size_t finding;  // SIZE_MAX: none yet
  size_t tried;
} Kind;

typedef struct {
  const DeadlockOptions *o;
  Report *r;
  DeadlockFigures *figures;
  Order *order;
  const Schedule *c;
  Sure *sure;
  Wishes wishes;
  Reach *reach;
  Alike *alike;
  Vec(Kind) kinds;
} Deadlocks;

// -- findings

static Finding *add_finding(Deadlocks *x, const Event *standing, size_t count, const uint32_t *upto) {
  Finding *f = report_add(x->r);
  finding_standing(x->r, f, &(Standing){x->o->sigma, x->o->schedule, standing, count, upto, x->o->name});
  vec_push(&f->schedules, x->o->schedule);
  finding_input(x->r, f, x->o->sigma, x->o->schedule);
  return f;
}

static bool has_room(const Deadlocks *x, const Finding *f) {
  if (!x->o->witnesses) return false;
  return !f->witness || x->o->witnesses->at[strtoul(f->witness, NULL, 10)].of.len < LIMIT_WITNESSES;
}

static void add_witness(Deadlocks *x, Finding *f, const uint32_t *upto, const Event *standing, size_t count) {
  Diags *quiet = diags_new();
  Sigma *w = witness_prefix(x->order, upto, standing, count, quiet);
  Order *possible = w ? order_new(w, 0, quiet) : NULL;
  diags_free(quiet);
  if (!possible) {
    sigma_free(w);
    return;
  }
  order_free(possible);
  if (!f->witness) {
    f->witness = report_print(x->r, "%zu", x->o->witnesses->len);
    vec_push(x->o->witnesses, (Witnesses){0});
    finding_steps(x->r, f, w);
  }
  Witnesses *all = &x->o->witnesses->at[strtoul(f->witness, NULL, 10)];
  vec_push(&all->of, w);
  vec_push(&all->inputs, ((WitnessInput){f->input, f->recorded, f->stdin_note}));
}

// -- cycles

// What the thread does there, not done yet. The end of a wait takes its mutex again.
static Event standing_at(const Deadlocks *x, uint32_t event) {
  const Event *e = &x->c->events.at[event];
  bool waits = e->kind == SYNC_WAIT;
  Event s = event_of(e->thread, waits ? SYNC_LOCK : e->kind, e->site);
  s.object = waits ? e->other : e->object;
  s.other = waits ? SIGMA_NONE : e->other;
  return s;
}

static void sort_standing(Event *all, size_t n) {
  for (size_t i = 1; i < n; ++i)
    for (size_t k = i; k && all[k - 1].thread > all[k].thread; --k) {
      Event e = all[k];
      all[k] = all[k - 1], all[k - 1] = e;
    }
}

static void take_standing(const Deadlocks *x, const uint32_t *events, size_t n, Event *standing) {
  for (size_t i = 0; i < n; ++i) standing[i] = standing_at(x, events[i]);
  sort_standing(standing, n);
}

static void tell_cycle(Deadlocks *x, Kind *k, const Cycle *c, uint32_t *events) {
  Event standing[LIMIT_DEADLOCK_THREADS];
  uint32_t *upto = mem_array(x->c->threads, sizeof *upto);
  take_standing(x, events, c->len, standing);
  for (vec_each(i, c)) upto[x->c->events.at[events[i]].thread] = order_position(x->order, events[i]);
  if (k->finding == SIZE_MAX) {
    k->finding = x->r->findings.len;
    add_finding(x, standing, c->len, upto);
  }
  Finding *f = &x->r->findings.at[k->finding];
  if (has_room(x, f) && meet_reached(x->order, x->reach, &x->wishes, c, events)) {
    take_standing(x, events, c->len, standing);
    add_witness(x, f, reach_upto(x->reach), standing, c->len);
  }
  mem_free(upto);
}

static void found(void *who, const Cycle *c) {
  Deadlocks *x = who;
  uint32_t id = alike_of(x->alike, c), events[LIMIT_DEADLOCK_THREADS];
  ++x->figures->cycles;
  if (id == x->kinds.len) vec_push(&x->kinds, ((Kind){SIZE_MAX, 0}));
  Kind *k = &x->kinds.at[id];
  if (k->tried >= LIMIT_DEADLOCK_ALIKE) {
    limit_reached(LIMIT_OF_DEADLOCK_ALIKE);
    return;
  }
  if (k->finding != SIZE_MAX && !has_room(x, &x->r->findings.at[k->finding])) return;
  ++k->tried;
  if (meet_unordered(x->order, x->sure, &x->wishes, c, events)) tell_cycle(x, k, c, events);
}

static void find_cycles(Deadlocks *x) {
  wishes_find(x->order, x->o->endless, &x->wishes);
  x->figures->waits += x->wishes.waits, x->figures->wishes += x->wishes.all.len;
  x->r->pairs += x->wishes.waits;
  x->sure = sure_new(x->order);
  x->reach = reach_new(x->order, x->sure, x->wishes.release);
  x->alike = alike_new(x->order, &x->wishes);
  CycleSearch s = {.wishes = &x->wishes, .found = found, .who = x, .stop = x->o->stop};
  s.limit = x->o->limit ? x->o->limit : LIMIT_DEADLOCK_STEPS;
  if (!cycles_find(&s) && !(x->o->stop && x->o->stop()))
    vec_push(&x->r->incomplete,
             ((FindingGap){
                 .text = report_intern(x->r, "not all cycles of locks were looked at: there are too many")}));
  x->figures->steps += s.steps;
  alike_free(x->alike), reach_free(x->reach), sure_free(x->sure);
  wishes_free(&x->wishes);
  vec_free(&x->kinds);
}

// -- a run that stands

static void tell_stuck(Deadlocks *x) {
  size_t stuck = 0, n = 0;
  bool *is = stuck_ring(x->c, &stuck);
  Event *standing = mem_array(stuck + 1, sizeof *standing);
  for (vec_each(i, &x->c->standing))
    if (is[i]) standing[n++] = x->c->standing.at[i];
  if (n) {
    Finding *f = add_finding(x, standing, n, NULL);
    f->why = report_intern(x->r, "the recorded run stood still there");
    uint32_t *upto = mem_array(x->c->threads, sizeof *upto);
    for (uint32_t t = 0; t < x->c->threads; ++t) upto[t] = order_count(x->order, t);
    if (x->o->witnesses) add_witness(x, f, upto, standing, n);
    mem_free(upto);
  }
  mem_free(standing), mem_free(is);
}

bool deadlock_check(const DeadlockOptions *o, Report *out, DeadlockFigures *figures, Diags *diags) {
  assert(o->schedule < o->sigma->schedules.len && out->deadlocks);
  Deadlocks x = {.o = o, .r = out, .figures = figures, .c = o->sigma->schedules.at[o->schedule]};
  x.order = order_new(o->sigma, o->schedule, diags);
  if (!x.order) return false;
  tell_stuck(&x);
  find_cycles(&x);
  order_free(x.order);
  return true;
}

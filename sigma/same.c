// Two schedules are laid over each other thread by thread, from thread 0 on: a create names the next pair of
// threads, the first event on an object names the pair of objects.
#include <assert.h>
#include "order.h"

typedef struct {
  const Sigma *a, *b;
  const Schedule *of_a, *of_b;
  const Order *order_a, *order_b;
  uint32_t *event;          // of a: the one of b
  uint32_t *thread;         // of a: the one of b; SIGMA_NONE: not known yet
  uint32_t *object, *back;  // of a: of b, and the other way
  Vec(uint32_t) todo;       // threads of a
} Pairing;

static bool pair_thread(Pairing *p, uint32_t a, uint32_t b) {
  if ((a == SIGMA_NONE) != (b == SIGMA_NONE)) return false;
  if (a == SIGMA_NONE) return true;
  if (p->thread[a] != SIGMA_NONE) return p->thread[a] == b;
  p->thread[a] = b;
  vec_push(&p->todo, a);
  return true;
}

static bool pair_object(Pairing *p, uint32_t a, uint32_t b) {
  if ((a == SIGMA_NONE) != (b == SIGMA_NONE)) return false;
  if (a == SIGMA_NONE) return true;
  const SigmaObject *x = &p->of_a->objects.at[a], *y = &p->of_b->objects.at[b];
  if (p->object[a] == SIGMA_NONE && p->back[b] == SIGMA_NONE) p->object[a] = b, p->back[b] = a;
  return p->object[a] == b && p->back[b] == a && x->family == y->family && x->recursive == y->recursive &&
         x->robust == y->robust && x->shared == y->shared && x->counted == y->counted &&
         x->amount == y->amount;
}

static bool same_site(const Pairing *p, uint32_t a, uint32_t b) {
  if (p->a == p->b || a == SIGMA_NONE || b == SIGMA_NONE) return a == b;
  return !strcmp(sigma_text(p->a, p->a->sites.at[a].name), sigma_text(p->b, p->b->sites.at[b].name));
}

static bool same_access(const Pairing *p, uint32_t a, uint32_t b) {
  const SigmaAccess *x = &p->a->accesses.at[a], *y = &p->b->accesses.at[b];
  return x->writes == y->writes && !strcmp(sigma_text(p->a, x->name), sigma_text(p->b, y->name));
}

static bool pair_event(Pairing *p, uint32_t a, uint32_t b) {
  const Event *x = &p->of_a->events.at[a], *y = &p->of_b->events.at[b];
  if (x->kind != y->kind || x->phase != y->phase || x->wake != y->wake || x->outcome != y->outcome)
    return false;
  if (!same_site(p, x->site, y->site) || !pair_object(p, x->object, y->object)) return false;
  unsigned shape = event_shape(x->kind);
  if (shape & EVENT_HAS_MUTEX && !pair_object(p, x->other, y->other)) return false;
  if (shape & EVENT_MAY_THREAD && !pair_thread(p, x->other, y->other)) return false;
  if (shape & (EVENT_HAS_FUNCTION | EVENT_HAS_EFFECT) &&
      strcmp(sigma_text(p->a, x->other), sigma_text(p->b, y->other)))
    return false;
  if (shape & EVENT_HAS_ACCESS && !same_access(p, x->other, y->other)) return false;
  p->event[a] = b;
  return true;
}

static bool pair_sequences(Pairing *p, uint32_t a) {
  assert(p->thread[a] != SIGMA_NONE);
  uint32_t b = p->thread[a], n = order_count(p->order_a, a);
  if (n != order_count(p->order_b, b)) return false;
  for (uint32_t i = 0; i < n; ++i)
    if (!pair_event(p, order_event(p->order_a, a, i), order_event(p->order_b, b, i))) return false;
  return true;
}

// Who meets at a barrier is the same in both: newcomers to a round wait for the arrivals of the one before.
static bool in_order(const Pairing *p) {
  for (uint32_t i = 0; i < p->of_a->events.len; ++i) {
    assert(p->event[i] != SIGMA_NONE);  // every thread was created, so all have been paired
    const OrderWait *waits;
    size_t n = order_waits(p->order_a, i, &waits);
    for (size_t k = 0; k < n; ++k)
      if (p->event[waits[k].event] > p->event[i]) return false;
  }
  return true;
}

static uint32_t *unknown(size_t n) {
  uint32_t *at = mem_array(n, sizeof *at);
  memset(at, 0xff, n * sizeof *at);
  return at;
}

bool order_allows(const Order *a, const Order *b) {
  Pairing p = {order_sigma(a),    order_sigma(b), order_schedule(a),
               order_schedule(b), .order_a = a,   .order_b = b};
  if (p.of_a->threads != p.of_b->threads || p.of_a->events.len != p.of_b->events.len ||
      p.of_a->incomplete != p.of_b->incomplete)
    return false;
  p.event = unknown(p.of_a->events.len);
  p.thread = unknown(p.of_a->threads);
  p.object = unknown(p.of_a->objects.len);
  p.back = unknown(p.of_b->objects.len);
  bool same = pair_thread(&p, 0, 0);
  while (same && p.todo.len) same = pair_sequences(&p, vec_pop(&p.todo));
  same = same && in_order(&p);
  mem_free(p.event);
  mem_free(p.thread);
  mem_free(p.object);
  mem_free(p.back);
  vec_free(&p.todo);
  return same;
}

typedef struct {
  const Sigma *s;
  const Schedule *c;
} Recorded;

static const char *recorded_variable(void *at, const char *name) {
  const Recorded *r = at;
  for (vec_each(i, &r->c->env)) {
    const SigmaEnv *e = &r->c->env.at[i];
    if (!strcmp(sigma_text(r->s, e->name), name))
      return e->value == SIGMA_NONE ? NULL : sigma_text(r->s, e->value);
  }
  return NULL;
}

bool sigma_fits_recording(const Sigma *s, const Schedule *c, Term when) {
  Recorded r = {s, c};
  Vec(const char *) argv = {0};
  for (vec_each(i, &c->argv)) vec_push(&argv, sigma_text(s, c->argv.at[i]));
  TermInputs in = {.argc = (int)argv.len, .argv = argv.at, .env = recorded_variable, .at = &r};
  bool fits = !argv.len || term_holds(s->terms, when, &in);
  vec_free(&argv);
  return fits;
}

// A constraint that was computed is that of every input for which it holds.
static bool same_place(const Sigma *s, const Schedule *a, const Schedule *b) {
  if (a->order != b->order || a->at_file != b->at_file || a->at_line != b->at_line) return false;
  if (a->status == SIGMA_PROVED && b->argv.len && sigma_fits_recording(s, b, a->when)) return true;
  return a->status == b->status && term_same(s->terms, a->when, s->terms, b->when);
}

uint32_t sigma_recorded_as(const Sigma *s, uint32_t schedule) {
  uint32_t found = SIGMA_NONE;
  assert(schedule < s->schedules.len);
  Diags *quiet = diags_new();
  Order *b = order_new(s, schedule, quiet);
  for (uint32_t i = 0; b && i < schedule && found == SIGMA_NONE; ++i) {
    if (!same_place(s, s->schedules.at[i], s->schedules.at[schedule])) continue;
    Order *a = order_new(s, i, quiet);
    if (a && order_allows(a, b)) found = i;
    order_free(a);
  }
  order_free(b);
  diags_free(quiet);
  return found;
}

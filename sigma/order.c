// The enforced order is kept as a vector clock per event: how many events of every other thread come before
// it. Clocks change only where something is received, and share most of what they hold (clock.c). The edges
// of walk.c are taken in the order of the file, which the order extends, so one pass makes clocks and the
// transitive reduction at once: an edge is needed unless what the event knows already, or a later edge into
// it, implies it.
#include "order.h"
#include <assert.h>
#include <stdlib.h>
#include "clock.h"
#include "walk.h"

typedef struct {
  Clocks *clocks;
  uint32_t *at;  // by event
} Times;

struct Order {
  const Sigma *sigma;
  const Schedule *schedule;
  Walk walk;
  Times enforced, credited;  // the same if outcomes order nothing more; none of enforced for a total order
  uint32_t *first_wait;      // by event, and one more
  Vec(OrderWait) waits;
};

// One pass over the events.
typedef struct {
  Order *o;
  Times *times;
  bool outcomes;      // take the edges without credit too, and keep what is waited for
  uint32_t *now;      // by thread
  uint32_t *opened;   // by generation: what all who arrived knew
  size_t next;        // edge
  Vec(Edge) pending;  // of one event
} Pass;

static uint32_t thread_of(const Order *o, uint32_t event) {
  return o->schedule->events.at[event].thread;
}

static bool knows(const Order *o, const Times *t, uint32_t clock, uint32_t event) {
  return clock_of(t->clocks, clock, thread_of(o, event)) > o->walk.position[event];
}

// Joining takes time with the number of threads; two cases do without, and most are. What is known of the
// event's thread was known with the same clock: then only the count is new. Who knows the last event of a
// thread knows what it knows.
static uint32_t learn(const Order *o, const Times *t, uint32_t clock, uint32_t event) {
  uint32_t thread = thread_of(o, event), known = clock_of(t->clocks, clock, thread), theirs = t->at[event];
  if (known && t->at[order_event(o, thread, known - 1)] == theirs) theirs = 0;
  return clock_join(t->clocks, clock, theirs, thread, o->walk.position[event] + 1);
}

static uint32_t learn_first(const Order *o, const Times *t, uint32_t clock, uint32_t event, uint32_t from) {
  uint32_t theirs = t->at[from];
  bool ahead = clock_of(t->clocks, theirs, thread_of(o, event)) >= o->walk.position[event];
  return learn(o, t, ahead ? theirs : clock, from);
}

// Latest first; of one event that with credit.
static int latest_first(const void *a, const void *b) {
  const Edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? 1 : -1;
  return (int)y->credit - (int)x->credit;
}

static void sort_edges(Edge *at, size_t n) {
  if (n > 16) {
    qsort(at, n, sizeof *at, latest_first);
    return;
  }
  for (size_t i = 1; i < n; ++i) {
    Edge e = at[i];
    size_t k = i;
    for (; k && latest_first(&at[k - 1], &e) > 0; --k) at[k] = at[k - 1];
    at[k] = e;
  }
}

// Threads that come from the same place, as the barrier before, bring the same clock.
static uint32_t open_barrier(Pass *p, uint32_t generation) {
  uint32_t *known = &p->opened[generation], last = 0;
  const Generation *g = &p->o->walk.generations.at[generation];
  for (uint32_t i = 0; i < g->count && !(i == 0 && *known); ++i) {
    uint32_t arrival = p->o->walk.members.at[g->first + i], clock = p->times->at[arrival];
    *known = clock_join(p->times->clocks, *known, clock == last ? 0 : clock, thread_of(p->o, arrival),
                        p->o->walk.position[arrival] + 1);
    last = clock;
  }
  clocks_keep(p->times->clocks);
  return *known;
}

static void receive(Pass *p, uint32_t event) {
  Order *o = p->o;
  uint32_t *now = &p->now[thread_of(o, event)];
  const Event *e = &o->schedule->events.at[event];
  if (e->kind == SYNC_BARRIER && e->phase == EVENT_DEPART && order_generation(o, event) != SIGMA_NONE)
    *now = open_barrier(p, o->walk.generation[event]);  // which knows what this thread knew when it arrived
  p->pending.len = 0;
  for (; p->next < o->walk.edges.len && o->walk.edges.at[p->next].to == event; ++p->next)
    if (p->outcomes || o->walk.edges.at[p->next].credit) vec_push(&p->pending, o->walk.edges.at[p->next]);
  sort_edges(p->pending.at, p->pending.len);
  uint32_t before = *now;
  for (vec_each(i, &p->pending)) {
    Edge edge = p->pending.at[i];
    if (knows(o, p->times, *now, edge.from)) continue;
    *now = *now == before ? learn_first(o, p->times, *now, event, edge.from)
                          : learn(o, p->times, *now, edge.from);
    if (p->outcomes) vec_push(&o->waits, ((OrderWait){.event = edge.from, .credit = edge.credit}));
  }
}

static void pass(Order *o, Times *times, bool outcomes) {
  uint32_t n = (uint32_t)o->schedule->events.len, threads = o->schedule->threads;
  Pass p = {.o = o, .times = times, .outcomes = outcomes};
  p.now = mem_array(threads, sizeof *p.now);
  p.opened = mem_array(o->walk.generations.len, sizeof *p.opened);
  times->clocks = clocks_new(threads);
  times->at = mem_array(n, sizeof *times->at);
  for (uint32_t i = 0; i < n; ++i) {
    receive(&p, i);
    clocks_keep(times->clocks);
    times->at[i] = p.now[thread_of(o, i)];
    if (outcomes) o->first_wait[i + 1] = (uint32_t)o->waits.len;
  }
  assert(p.next == o->walk.edges.len);
  clocks_finish(times->clocks);
  mem_free(p.now);
  mem_free(p.opened);
  vec_free(&p.pending);
}

static void make_total(Order *o) {
  for (uint32_t i = 0; i < o->schedule->events.len; ++i) {
    if (i && thread_of(o, i) != thread_of(o, i - 1))
      vec_push(&o->waits, ((OrderWait){.event = (i - 1) & INT32_MAX}));
    o->first_wait[i + 1] = (uint32_t)o->waits.len;
  }
}

static bool outcomes_order(const Order *o) {
  for (vec_each(i, &o->waits))
    if (!o->waits.at[i].credit) return true;
  return false;
}

Order *order_new(const Sigma *s, uint32_t schedule, Diags *diags) {
  assert(schedule < s->schedules.len);
  Order *o = mem_alloc(sizeof *o);
  o->sigma = s;
  o->schedule = s->schedules.at[schedule];
  if (!walk_run(&o->walk, s, o->schedule, diags)) {
    order_free(o);
    return NULL;
  }
  o->first_wait = mem_array(o->schedule->events.len + 1, sizeof *o->first_wait);
  if (o->schedule->order == SIGMA_TOTAL)
    make_total(o);
  else
    pass(o, &o->enforced, true);
  if (outcomes_order(o) || !o->enforced.clocks) pass(o, &o->credited, false);
  vec_free(&o->walk.edges);
  o->waits.at = mem_resize(o->waits.at, (o->waits.cap = o->waits.len) * sizeof *o->waits.at);
  CHECKED(order_check(o));
  return o;
}

void order_free(Order *o) {
  if (!o) return;
  walk_free(&o->walk);
  clocks_free(o->enforced.clocks);
  clocks_free(o->credited.clocks);
  mem_free(o->enforced.at);
  mem_free(o->credited.at);
  mem_free(o->first_wait);
  vec_free(&o->waits);
  mem_free(o);
}

const Sigma *order_sigma(const Order *o) {
  return o->sigma;
}
const Schedule *order_schedule(const Order *o) {
  return o->schedule;
}
uint32_t order_count(const Order *o, uint32_t thread) {
  assert(thread < o->schedule->threads);
  return o->walk.begin[thread + 1] - o->walk.begin[thread];
}
uint32_t order_event(const Order *o, uint32_t thread, uint32_t position) {
  assert(position < order_count(o, thread));
  return o->walk.sequence[o->walk.begin[thread] + position];
}
uint32_t order_position(const Order *o, uint32_t event) {
  assert(event < o->schedule->events.len);
  return o->walk.position[event];
}
uint32_t order_path(const Order *o, uint32_t event) {
  assert(event < o->schedule->events.len);
  return o->walk.path[event];
}

static bool before(const Order *o, const Times *t, uint32_t a, uint32_t b) {
  if (thread_of(o, a) == thread_of(o, b)) return a < b;
  return a < b && knows(o, t, t->at[b], a);
}

bool order_before(const Order *o, uint32_t a, uint32_t b) {
  assert(a < o->schedule->events.len && b < o->schedule->events.len);
  return o->enforced.clocks ? before(o, &o->enforced, a, b) : a < b;
}
bool order_happens_before(const Order *o, uint32_t a, uint32_t b) {
  assert(a < o->schedule->events.len && b < o->schedule->events.len);
  return before(o, o->credited.clocks ? &o->credited : &o->enforced, a, b);
}

size_t order_waits(const Order *o, uint32_t event, const OrderWait **waits) {
  assert(event < o->schedule->events.len);
  uint32_t first = o->first_wait[event], n = o->first_wait[event + 1] - first;
  *waits = n ? o->waits.at + first : NULL;
  return n;
}
uint32_t order_generation(const Order *o, uint32_t event) {
  assert(event < o->schedule->events.len);
  return o->walk.generation ? o->walk.generation[event] : SIGMA_NONE;
}
uint32_t order_waker(const Order *o, uint32_t event) {
  assert(event < o->schedule->events.len);
  return o->walk.waker ? o->walk.waker[event] : SIGMA_NONE;
}
size_t order_arrivals(const Order *o, uint32_t generation, const uint32_t **events) {
  assert(generation < o->walk.generations.len);
  const Generation *g = &o->walk.generations.at[generation];
  *events = g->count ? o->walk.members.at + g->first : NULL;
  return g->count;
}

static size_t times_memory(const Times *t, size_t events) {
  return t->clocks ? clocks_memory(t->clocks) + events * sizeof *t->at : 0;
}

size_t order_memory(const Order *o) {
  size_t n = o->schedule->events.len;
  size_t by_event = 3 + (o->walk.generation != NULL) + (o->walk.waker != NULL) + 1;
  size_t arrays = n * by_event + o->schedule->threads;
  return arrays * sizeof(uint32_t) + o->walk.generations.cap * sizeof(Generation) +
         o->walk.members.cap * sizeof(uint32_t) + o->waits.cap * sizeof(OrderWait) +
         times_memory(&o->enforced, n) + times_memory(&o->credited, n);
}

bool sigma_settle(Sigma *s, uint32_t schedule, Diags *diags) {
  assert(schedule < s->schedules.len);
  Schedule *c = s->schedules.at[schedule];
  if (!walk_settle(s, c, diags)) return false;
  Walk w;  // again: what is robust decides which edges there are, and may refuse
  bool ok = walk_run(&w, s, c, diags);
  walk_free(&w);
  CHECKED(schedule_assert_whole(s, c));
  return ok;
}

size_t sigma_possible(const Sigma *s, uint32_t schedule, Diags *diags) {
  Walk w;
  assert(schedule < s->schedules.len);
  walk_run(&w, s, s->schedules.at[schedule], diags);
  size_t passed = w.passed;
  walk_free(&w);
  return passed;
}

bool sigma_check(const Sigma *s, Diags *diags) {
  bool ok = true;
  for (vec_each(i, &s->schedules)) {
    Walk w;
    ok &= walk_run(&w, s, s->schedules.at[i], diags);
    walk_free(&w);
  }
  return ok;
}

static void check_waits(const Order *o) {
  uint32_t n = (uint32_t)o->schedule->events.len;
  assert(!o->first_wait[0] && o->first_wait[n] == o->waits.len);
  for (uint32_t i = 0; i < n; ++i) {
    assert(o->first_wait[i] <= o->first_wait[i + 1]);
    for (uint32_t k = o->first_wait[i]; k < o->first_wait[i + 1]; ++k) {
      OrderWait w = o->waits.at[k];
      assert(w.event < i && thread_of(o, w.event) != thread_of(o, i));
      assert(k == o->first_wait[i] || w.event < o->waits.at[k - 1].event);
      assert(order_before(o, w.event, i));
      assert(!w.credit || order_happens_before(o, w.event, i));
    }
  }
}

// Of its own thread an event knows no later one.
static void check_times(const Order *o, const Times *t) {
  if (!t->clocks) return;
  size_t n = o->schedule->events.len;
  clocks_check(t->clocks, t->at, n);
  for (uint32_t i = 0; i < n; ++i)
    assert(clock_of(t->clocks, t->at[i], thread_of(o, i)) <= o->walk.position[i]);
}

void order_check(const Order *o) {
  assert(!o->enforced.clocks == (o->schedule->order == SIGMA_TOTAL));
  assert(o->enforced.clocks || o->credited.clocks);
  walk_check(&o->walk, o->schedule);
  check_times(o, &o->enforced);
  check_times(o, &o->credited);
  check_waits(o);
}

// Schedules as the bytes of rt/roll.h, read back: every published event is there, waits for all that it must
// wait for, and for nothing that does not come before it.
#undef NDEBUG
#include "cfspec/specializer.h"
#include <assert.h>
#include "sim.h"

typedef Vec(uint32_t) Numbers;
typedef struct {
  const Sigma *sigma;
  const Schedule *c;
  Order *order;
  const RtRolled *rolled;
  Numbers *events;  // by thread: those that are published
  size_t seen, waits;
} Both;

static void find_events(Both *p) {
  p->events = mem_array(p->c->threads + 1, sizeof *p->events);
  for (uint32_t i = 0; i < p->c->events.len; ++i) {
    const Event *e = &p->c->events.at[i];
    if (e->kind < EVENT_CALL) vec_push(&p->events[e->thread], i);
  }
}

// How many events its thread has published when this one is over.
static uint32_t published(const Both *p, uint32_t event) {
  const Numbers *all = &p->events[p->c->events.at[event].thread];
  uint32_t n = 0;
  while (n < all->len && all->at[n] <= event) ++n;
  return n;
}

static bool is_total(const Both *p) {
  return p->c->order == SIGMA_TOTAL;
}

static bool waits_for(const RtWait *wait, uint32_t waits, uint32_t thread, uint32_t need) {
  for (uint32_t i = 0; i < waits; ++i)
    if (wait[i].thread == thread && wait[i].need >= need) return true;
  return false;
}

// Those of the calls and returns since the last published event, too.
static void check_enough(const Both *p, uint32_t event, const RtWait *wait, uint32_t waits) {
  for (uint32_t i = event;; --i) {
    const Event *e = &p->c->events.at[i];
    bool mine = e->thread == p->c->events.at[event].thread;
    if (mine && i != event && e->kind < EVENT_CALL) return;
    const OrderWait *must;
    size_t n = mine && !is_total(p) ? order_waits(p->order, i, &must) : 0;
    for (size_t k = 0; k < n; ++k) {
      uint32_t need = published(p, must[k].event);
      assert(!need || waits_for(wait, waits, p->c->events.at[must[k].event].thread, need));
    }
    if (!i) return;
  }
}

static void check_waits(Both *p, uint32_t event, const RtWait *wait, uint32_t waits) {
  for (uint32_t i = 0; i < waits; ++i) {
    assert(wait[i].need && wait[i].need <= p->events[wait[i].thread].len);
    uint32_t from = p->events[wait[i].thread].at[wait[i].need - 1];
    assert(is_total(p) ? from < event : order_before(p->order, from, event));
  }
  check_enough(p, event, wait, waits);
  p->waits += waits;
}

static void check_event(Both *p, uint32_t event, const RolledEvent *x, const RtWait *wait) {
  const Event *e = &p->c->events.at[event];
  const RtRolledContext *context = &rolled_contexts(p->rolled)[x->context];
  Bytes what = {0};
  event_word_print(e, &what);
  vec_push(&what, 0);
  assert(!strcmp(rolled_texts(p->rolled) + context->what, (char *)what.at));
  vec_free(&what);
  bool site = e->site != SIGMA_NONE;
  assert(context->line == (site ? p->sigma->sites.at[e->site].line : 0));
  assert(x->outcome == outcome_number(e));
  assert(x->object == (context->shape == RT_ROLLED_THREAD ? e->other : e->object));
  if (e->kind == SYNC_WAIT && e->phase == EVENT_ARRIVE) assert(x->mutex == e->other);
  uint32_t waker = order_waker(p->order, event);
  bool departs = context->shape == RT_ROLLED_WAKE;
  assert(!departs || x->waker == (waker == SIGMA_NONE ? RT_NONE32 : p->c->events.at[waker].thread));
  assert(!departs || waker == SIGMA_NONE || x->round == published(p, waker));
  check_waits(p, event, wait, x->waits);
  ++p->seen;
}

static void check_thread(Both *p, uint32_t thread) {
  const RtRolled *r = p->rolled;
  const RtRolledThread *t = &rolled_threads(r)[thread];
  uint32_t first = t->enter.context != RT_NONE32, last = t->events - (t->exit.context != RT_NONE32);
  RtWait *wait = mem_array(r->most + 1, sizeof *wait);
  RolledReader x;
  RolledEvent e;
  assert(t->events == p->events[thread].len);
  rolled_begin(&x, r, thread);
  x.guess = (RolledGuess){0};
  x.guess.follows = mem_array(r->contexts + 1, sizeof *x.guess.follows);
  x.guess.needs = mem_array(r->threads + 1, sizeof *x.guess.needs);
  for (uint32_t i = first; i < last; ++i) {
    assert(rolled_next(&x, r, &e, wait));
    check_event(p, p->events[thread].at[i], &e, wait);
  }
  assert(!rolled_next(&x, r, &e, wait));
  const RtWait *edges = rolled_waits(r);
  if (first) check_waits(p, p->events[thread].at[0], edges + t->enter.first, t->enter.waits);
  if (last < t->events) check_waits(p, p->events[thread].at[last], edges + t->exit.first, t->exit.waits);
  mem_free(wait), mem_free(x.guess.follows), mem_free(x.guess.needs);
}

static void check(Both *p, const Module *k, uint32_t schedule) {
  Bytes b = {0};
  p->c = p->sigma->schedules.at[schedule];
  p->order = order_new(p->sigma, schedule, k->diags);
  assert(p->order && roll_bytes(k, schedule, &b) && rolled_whole(b.at, b.len));
  p->rolled = (const RtRolled *)(const void *)b.at;
  find_events(p);
  for (uint32_t t = 0; t < p->c->threads; ++t) check_thread(p, t);
  for (uint32_t t = 0; t < p->c->threads; ++t) vec_free(&p->events[t]);
  assert(!rolled_whole(b.at, b.len - 1));
  mem_free(p->events);
  order_free(p->order);
  vec_free(&b);
}

int main(void) {
  enum { SIMULATED = 300 };
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = LLVMModuleCreateWithNameInContext("none", context);
  Sites *sites = sites_new(m);
  Both p = {0};
  for (uint64_t seed = 1; seed <= SIMULATED; ++seed) {
    Sigma *s = sim_sigma(sim_options(seed));
    Module k = {.m = m, .sigma = s, .sites = sites, .diags = diags_new()};
    p.sigma = s;
    check(&p, &k, 0);
    diags_free(k.diags);
    sigma_free(s);
  }
  assert(p.seen > SIMULATED && p.waits > SIMULATED);
  sites_free(sites);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
  return 0;
}

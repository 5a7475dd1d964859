// The orders, against a transitive closure made the slow way; what is waited for is enough and nothing too
// much; every order that the enforced one leaves open is a run that can happen.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include "sim.h"

typedef struct {
  uint32_t n;
  bool *before;  // n * n
} Closure;

static bool *cell(const Closure *c, uint32_t a, uint32_t b) {
  return &c->before[(size_t)a * c->n + b];
}

static void close_over(Closure *c) {
  for (uint32_t k = 0; k < c->n; ++k)
    for (uint32_t a = 0; a < k; ++a)
      if (*cell(c, a, k))
        for (uint32_t b = k + 1; b < c->n; ++b) *cell(c, a, b) |= *cell(c, k, b);
}

static bool is_departure(const Event *e) {
  return e->kind == SYNC_BARRIER && e->phase == EVENT_DEPART;
}

// Program order, what barriers do by themselves, and what is waited for, but for one wait.
static Closure closure_of(const Order *o, uint32_t without_from, uint32_t without_to) {
  const Schedule *s = order_schedule(o);
  Closure c = {(uint32_t)s->events.len, mem_array(s->events.len * s->events.len, 1)};
  for (uint32_t i = 0; i < c.n; ++i) {
    uint32_t t = s->events.at[i].thread, p = order_position(o, i);
    if (p) *cell(&c, order_event(o, t, p - 1), i) = true;
    const OrderWait *waits;
    size_t n = order_waits(o, i, &waits);
    for (size_t k = 0; k < n; ++k)
      if (waits[k].event != without_from || i != without_to) *cell(&c, waits[k].event, i) = true;
    const uint32_t *arrivals;
    n = is_departure(&s->events.at[i]) ? order_arrivals(o, order_generation(o, i), &arrivals) : 0;
    for (size_t k = 0; k < n; ++k) *cell(&c, arrivals[k], i) = true;
  }
  close_over(&c);
  return c;
}

static Order *order_of(const Sigma *s, uint32_t schedule) {
  Diags *diags = diags_new();
  Order *o = order_new(s, schedule, diags);
  diags_print(diags, stderr, "test");
  assert(o && !diags_count(diags));
  diags_free(diags);
  return o;
}

static void check_before(const Order *o, const Closure *c) {
  const Schedule *s = order_schedule(o);
  for (uint32_t a = 0; a < c->n; ++a)
    for (uint32_t b = 0; b < c->n; ++b) {
      bool before = s->order == SIGMA_TOTAL ? a < b : a < b && *cell(c, a, b);
      assert(order_before(o, a, b) == before);
      bool credited = order_happens_before(o, a, b);
      assert(!credited || before);
      if (s->events.at[a].thread == s->events.at[b].thread) assert(credited == (a < b));
    }
}

static void check_minimal(const Order *o) {
  for (uint32_t i = 0; i < order_schedule(o)->events.len; ++i) {
    const OrderWait *waits;
    size_t n = order_waits(o, i, &waits);
    for (size_t k = 0; k < n; ++k) {
      assert(order_schedule(o)->events.at[waits[k].event].thread != order_schedule(o)->events.at[i].thread);
      Closure c = closure_of(o, waits[k].event, i);
      assert(!*cell(&c, waits[k].event, i));
      mem_free(c.before);
    }
  }
}

static void test_closure(void) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SimOptions options = sim_options(seed);
    if (seed % 10) options.odd = false;
    if (seed % 30 == 0) options.threads = 70, options.events = 400;
    Sigma *s = sim_sigma(options);
    Order *o = order_of(s, 0);
    Closure c = closure_of(o, SIGMA_NONE, SIGMA_NONE);
    check_before(o, &c);
    if (c.n < 100) check_minimal(o);
    mem_free(c.before);
    order_free(o);
    sigma_free(s);
  }
}

// A random order that the enforced one allows, as a schedule of its own. Threads keep their numbers if
// creates do.
static Sigma *extension(const Order *o, uint64_t *seed) {
  const Schedule *from = order_schedule(o);
  uint32_t n = (uint32_t)from->events.len, threads = from->threads;
  Bytes text = {0};
  sigma_print(order_sigma(o), &text);
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(span_of(text.at, text.len), "x.sigma", diags);
  assert(s && s->schedules.at[0]->events.len == n);
  uint32_t *next = mem_array(threads, sizeof *next), *number = mem_array(threads, sizeof *number),
           created = 0;
  bool *done = mem_array(n, 1);
  Schedule *c = s->schedules.at[0];
  c->events.len = 0;
  while (c->events.len < n) {
    uint32_t t = sim_below(seed, threads);
    if (next[t] == order_count(o, t)) continue;
    uint32_t i = order_event(o, t, next[t]);
    bool ready = true;
    for (uint32_t k = 0; k < n && ready; ++k) ready = done[k] || !order_before(o, k, i);
    if (!ready) continue;
    done[i] = true;
    ++next[t];
    Event e = from->events.at[i];
    if (e.kind == SYNC_CREATE && e.other != SIGMA_NONE) number[e.other] = ++created;
    e.thread = number[e.thread];
    if (event_shape(e.kind) & EVENT_MAY_THREAD && e.other != SIGMA_NONE) e.other = number[e.other];
    if (event_shape(e.kind) & (EVENT_HAS_FUNCTION | EVENT_HAS_EFFECT))
      e.other = sigma_intern(s, sigma_text(order_sigma(o), e.other));
    vec_push(&c->events, e);
  }
  // Objects that are declared have the same index in both; others are found by their numbers.
  uint32_t *object = mem_array(from->objects.len, sizeof *object);
  for (vec_each(a, &from->objects))
    for (vec_each(b, &c->objects))
      if (from->objects.at[a].family == c->objects.at[b].family &&
          from->objects.at[a].number == c->objects.at[b].number)
        object[a] = (uint32_t)b;
  for (vec_each(i, &c->events)) {
    Event *e = &c->events.at[i];
    if (e->object != SIGMA_NONE) e->object = object[e->object];
    if (event_shape(e->kind) & EVENT_HAS_MUTEX) e->other = object[e->other];
    e->line = 0;
  }
  mem_free(next);
  mem_free(number);
  mem_free(done);
  mem_free(object);
  vec_free(&text);
  diags_free(diags);
  return s;
}

static void test_extensions(void) {
  unsigned differ = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SimOptions options = sim_options(seed);
    options.odd = false;
    Sigma *s = sim_sigma(options);
    Order *o = order_of(s, 0);
    uint64_t random = seed;
    Sigma *x = extension(o, &random);
    Order *p = order_of(x, 0);
    assert(order_allows(o, p) && order_allows(p, p));
    differ += !order_allows(p, o);  // it has other edges; semaphores may hand out other units
    order_free(o);
    order_free(p);
    sigma_free(s);
    sigma_free(x);
  }
  assert(differ < 40);
}

static void test_allows(void) {
  unsigned refused = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SimOptions options = sim_options(seed);
    options.odd = false;
    Sigma *s = sim_sigma(options);
    Bytes text = {0};
    sigma_print(s, &text);
    Diags *diags = diags_new();
    Sigma *x = sigma_parse(span_of(text.at, text.len), "x.sigma", diags);
    Schedule *c = x->schedules.at[0];
    Order *o = order_of(s, 0);
    // Exchange two neighbours. If it is a run at all, it is allowed exactly if the two were not ordered.
    for (uint32_t i = 0; i + 1 < c->events.len; ++i) {
      Event a = c->events.at[i], b = c->events.at[i + 1];
      if (a.kind == SYNC_CREATE || b.kind == SYNC_CREATE) continue;
      c->events.at[i] = b;
      c->events.at[i + 1] = a;
      Order *p = order_new(x, 0, diags);
      assert(p || order_before(o, i, i + 1));
      if (p && a.thread != b.thread) {
        assert(order_allows(o, p) == !order_before(o, i, i + 1));
        refused += order_before(o, i, i + 1);
      }
      order_free(p);
      c->events.at[i] = a;
      c->events.at[i + 1] = b;
    }
    order_free(o);
    diags_free(diags);
    sigma_free(s);
    sigma_free(x);
    vec_free(&text);
  }
  assert(refused);
}

static void test_recorded_again(void) {
  SimOptions options = sim_options(8);
  Sigma *s = sim_sigma(options);
  sim_schedule(s, options);
  assert(sigma_recorded_as(s, 0) == SIGMA_NONE && sigma_recorded_as(s, 1) == 0);
  s->schedules.at[1]->order = SIGMA_TOTAL;
  assert(sigma_recorded_as(s, 1) == SIGMA_NONE);
  s->schedules.at[0]->order = SIGMA_TOTAL;
  assert(sigma_recorded_as(s, 1) == 0);
  s->schedules.at[1]->when = term_bool(s->terms, true);
  assert(sigma_recorded_as(s, 1) == SIGMA_NONE);
  sigma_free(s);
}

// By the words of DESIGN: harmless only if G ends before the segment of d begins, or begins after that of u
// ends.
static bool interferes(const Order *o, Segment g, Segment d, Segment u) {
  uint32_t g_end = segment_end(o, g), d_begin = segment_begin(o, d);
  uint32_t u_end = segment_end(o, u), g_begin = segment_begin(o, g);
  bool before =
      g_end != SIGMA_NONE && d_begin != SIGMA_NONE && (g_end == d_begin || order_before(o, g_end, d_begin));
  bool after =
      u_end != SIGMA_NONE && g_begin != SIGMA_NONE && (u_end == g_begin || order_before(o, u_end, g_begin));
  return !before && !after;
}

static Segment random_segment(const Order *o, uint64_t *seed) {
  uint32_t t = sim_below(seed, order_schedule(o)->threads);
  return (Segment){t, sim_below(seed, order_count(o, t) + 1)};
}

static void test_interference(void) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Sigma *s = sim_sigma(sim_options(seed));
    Order *o = order_of(s, 0);
    uint64_t r = seed;
    for (int i = 0; i < 3000; ++i) {
      Segment g = random_segment(o, &r), d = random_segment(o, &r), u = random_segment(o, &r);
      assert(may_interfere(o, g, d, u) == interferes(o, g, d, u));
      assert(may_interfere(o, g, g, g));
      if (g.thread == d.thread && g.index != d.index) assert(!may_interfere(o, g, d, d));
      assert(may_interfere(o, g, d, d) == may_interfere(o, d, g, g));
    }
    order_free(o);
    sigma_free(s);
  }
}

static void test_contexts(void) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Sigma *s = sim_sigma(sim_options(seed));
    Order *o = order_of(s, 0);
    const Schedule *c = order_schedule(o);
    for (uint32_t t = 0; t < c->threads; ++t) {
      Vec(uint32_t) calls = {0};
      for (uint32_t i = 0; i <= order_count(o, t); ++i) {
        Context x = context_of(o, (Segment){t, i});
        assert(x.segment.thread == t && x.segment.index == i);
        size_t depth = calls.len;
        for (uint32_t p = x.path; p != SIGMA_NONE; p = context_caller(o, p)) assert(calls.at[--depth] == p);
        assert(!depth);
        if (i == order_count(o, t)) break;
        uint32_t event = order_event(o, t, i);
        assert(order_position(o, event) == i);
        int kind = c->events.at[event].kind;
        bool callback = calls.len && c->events.at[vec_last(&calls)].kind == EVENT_CALLBACK;
        bool returns = kind == SYNC_EXIT && c->events.at[event].site == SIGMA_NONE;
        if (callback && (kind > EVENT_CALL || returns)) (void)vec_pop(&calls);
        if (kind == EVENT_CALL || kind == EVENT_CALLBACK) vec_push(&calls, event);
        if (kind == EVENT_RET || kind == EVENT_UNWIND) (void)vec_pop(&calls);
      }
      vec_free(&calls);
    }
    order_free(o);
    sigma_free(s);
  }
}

// Edges by hand: which pairs are ordered, and with credit.
typedef struct {
  const char *events;
  uint32_t a, b;
  bool before, credit;
} EventPair;
#define TWO "t0 create 0 t1\nt1 enter f\n"
static const EventPair pairs[] = {
    {TWO "t0 exit 0\nt1 exit\n", 0, 1, true, true},
    {TWO "t0 exit 0\nt1 exit\n", 1, 2, false, false},
    {TWO "t1 exit\nt0 join 1 t1\nt0 exit\n", 2, 3, true, true},
    {TWO "t0 lock 2 m0\nt0 unlock 3 m0\nt1 lock 2 m0\nt0 exit\n", 3, 4, true, true},
    {TWO "t0 lock 2 m0\nt0 unlock 3 m0\nt1 lock 2 m1\nt0 exit\n", 3, 4, false, false},
    {TWO "t0 lock 2 m0\nt1 lock 2 m0 = busy\nt0 unlock 3 m0\nt0 exit\n", 2, 3, true, false},
    {TWO "t0 lock 2 m0\nt1 lock 2 m0 = busy\nt0 unlock 3 m0\nt0 exit\n", 3, 4, true, false},
    {TWO "t1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt0 signal 5 c0\nt1 wait-depart 4 c0 m0\nt0 exit\n", 4, 5,
     true, true},
    {TWO "t1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt0 signal 5 c0\nt1 wait-depart 4 c0 m0\nt0 exit\n", 3, 4,
     true, false},
    {TWO "t0 signal 5 c0\nt1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt0 exit\n", 2, 4, true, false},
    {TWO "t0 signal 5 c0\nt1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt0 exit\n", 2, 3, false, false},
    {TWO "t1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt1 wait-depart 4 c0 m0 = timedout\nt0 signal 5 c0\nt0 exit\n",
     4, 5, true, false},
    {TWO "t0 barrier-arrive 7 b0\nt1 barrier-arrive 7 b0\nt1 barrier-depart 7 b0 = serial\n"
         "t0 barrier-depart 7 b0\nt0 exit\n",
     2, 4, true, true},
    {TWO "t0 barrier-arrive 7 b0\nt1 barrier-arrive 7 b0\nt1 barrier-depart 7 b0 = serial\n"
         "t0 barrier-depart 7 b0\nt0 exit\n",
     2, 3, false, false},
    {TWO "t0 post 9 s0\nt1 acquire 8 s0\nt1 acquire 8 s0\nt0 exit\n", 2, 3, false, false},
    {TWO "t0 post 9 s0\nt1 acquire 8 s0\nt1 acquire 8 s0\nt0 exit\n", 2, 4, true, true},
    {TWO "t0 acquire 8 s0\nt1 acquire 8 s0 = again\nt0 post 9 s0\nt0 exit\n", 2, 3, true, false},
    {TWO "t0 acquire 8 s0\nt1 acquire 8 s0 = again\nt0 post 9 s0\nt0 exit\n", 3, 4, true, false},
    {TWO "t0 once 10 o0 = ran\nt1 once 10 o0\nt0 exit\n", 2, 3, true, true},
    {TWO "t0 rdlock 14 r0\nt1 rdlock 14 r0\nt0 unlock 3 r0\nt1 unlock 3 r0\nt1 lock 2 r0\nt0 exit\n", 4, 6,
     true, true},
    {TWO "t0 rdlock 14 r0\nt1 rdlock 14 r0\nt0 unlock 3 r0\nt1 unlock 3 r0\nt1 lock 2 r0\nt0 exit\n", 2, 3,
     false, false},
    {TWO "t0 rdlock 14 r0\nt1 lock 2 r0 = busy\nt0 unlock 3 r0\nt0 exit\n", 3, 4, true, false},
    {TWO "t0 cancel 16 t1\nt1 exit 0\nt0 exit\n", 2, 3, true, false},
    {TWO "t1 exit\nt0 cancel 16 t1\nt0 exit\n", 2, 3, true, false},
    {TWO "t0 create 0 t2\nt1 join 1 t2 = busy\nt0 exit\n", 2, 3, true, false},
    {TWO "t1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt1 wait-depart 4 c0 m0 = spurious\nt0 lock 2 m1\n"
         "t0 wait-arrive 4 c0 m1\nt0 wait-depart 4 c0 m1 = spurious\nt0 exit\n",
     4, 6, true, false},
    {TWO "t1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt0 signal 5 c0\nt1 wait-depart 4 c0 m0\nt0 lock 2 m1\n"
         "t0 wait-arrive 4 c0 m1\nt0 wait-depart 4 c0 m1 = spurious\nt0 exit\n",
     5, 7, true, false},
    {TWO "t0 create 0 t2\nt2 enter f\nt1 lock 2 m9\nt1 exit\nt0 lock 2 m9 = ownerdead\nt0 unlock 3 m9\n"
         "t2 lock 2 m9 = notrecoverable\nt0 exit\n",
     7, 8, true, false},
    {TWO "t0 join 1 t1 = busy\nt1 exit\nt0 exit\n", 2, 3, true, false},
    {TWO "t1 lock 2 m0\nt0 exit\n", 2, 3, true, false},
    {TWO "t1 lock 2 m9\nt1 exit\nt0 lock 2 m9 = ownerdead\nt0 exit\n", 3, 4, true, true},
};

static Order *written(const char *events) {
  char *text = mem_format(
      "sigma 1\nprogram p\nmodule 0\nsite 0 f#0 create\nsite 1 f#1 join\nsite 2 f#2 lock\n"
      "site 3 f#3 unlock\nsite 4 f#4 wait\nsite 5 f#5 signal\nsite 6 f#6 broadcast\nsite 7 f#7 barrier\n"
      "site 8 f#8 acquire\nsite 9 f#9 post\nsite 10 f#10 once\nsite 11 f#11 once-begin\nsite 12 f#12 "
      "once-end\n"
      "site 13 f#13 once-abort\nsite 14 f#14 rdlock\nsite 15 f#15 detach\nsite 16 f#16 cancel\nschedule 0\n"
      "origin written\norder hb\nat main\nwhen false\nobject b0 barrier count 2\n"
      "object s0 semaphore count 1\nobject m9 mutex robust\n%send\n",
      events);
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(span_of(text, strlen(text)), "a.sigma", diags);
  Order *o = s ? order_new(s, 0, diags) : NULL;
  diags_print(diags, stderr, "test");
  assert(o);
  diags_free(diags);
  mem_free(text);
  return o;
}

static void forget(Order *o) {
  Sigma *s = (Sigma *)(uintptr_t)order_sigma(o);
  order_free(o);
  sigma_free(s);
}

static void test_pairs(void) {
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    Order *o = written(pairs[i].events);
    bool before = order_before(o, pairs[i].a, pairs[i].b),
         credit = order_happens_before(o, pairs[i].a, pairs[i].b);
    if (before != pairs[i].before || credit != pairs[i].credit)
      fprintf(stderr, "%s%u %u: %d %d\n", pairs[i].events, pairs[i].a, pairs[i].b, before, credit);
    assert(before == pairs[i].before && credit == pairs[i].credit);
    forget(o);
  }
}

static void allows(const char *a, const char *b, bool expected) {
  Order *x = written(a), *y = written(b);
  if (order_allows(x, y) != expected) fprintf(stderr, "%s\n%s", a, b);
  assert(order_allows(x, y) == expected);
  forget(x);
  forget(y);
}

static void test_allows_by_hand(void) {
  // The numbers of objects do not matter, but who is who does.
  allows("t0 lock 2 m0\nt0 unlock 3 m0\nt0 lock 2 m1\nt0 exit\n",
         "t0 lock 2 m7\nt0 unlock 3 m7\nt0 lock 2 m3\nt0 exit\n", true);
  allows("t0 lock 2 m0\nt0 unlock 3 m0\nt0 lock 2 m1\nt0 exit\n",
         "t0 lock 2 m0\nt0 unlock 3 m0\nt0 lock 2 m0\nt0 exit\n", false);
  allows("t0 lock 2 m0\nt0 unlock 3 m0\nt0 lock 2 m0\nt0 exit\n",
         "t0 lock 2 m0\nt0 unlock 3 m0\nt0 lock 2 m1\nt0 exit\n", false);
  allows("t0 lock 2 m0\nt0 exit\n", "t0 lock 2 p0\nt0 exit\n", false);
  allows("t0 lock 2 m0\nt0 exit\n", "t0 lock 2 m9\nt0 exit\n", false);
  // Threads in another order, and with other routines.
  allows(TWO "t0 create 0 t2\nt2 enter g\nt1 exit\nt0 exit\n",
         TWO "t0 create 0 t2\nt1 exit\nt2 enter g\nt0 exit\n", true);
  allows(TWO "t0 exit\n", "t0 create 0 t1\nt1 enter g\nt0 exit\n", false);
  allows(TWO "t0 exit\n", "t0 create 0 t1\nt0 exit\n", false);
  // How a wait ended.
  allows(TWO "t1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt0 signal 5 c0\nt1 wait-depart 4 c0 m0\nt0 exit\n",
         TWO
         "t1 lock 2 m0\nt1 wait-arrive 4 c0 m0\nt0 signal 5 c0\nt1 wait-depart 4 c0 m0 = spurious\nt0 exit\n",
         false);
  // Who met whom at a barrier: t1 first t2 and then t0, or the other way round.
#define THREE TWO "t0 create 0 t2\nt2 enter f\n"
#define MEET(t) "t1 barrier-arrive 7 b0\n" t " barrier-arrive 7 b0\nt1 barrier-depart 7 b0\n"
#define LEAVE(t) t " barrier-depart 7 b0 = serial\n"
  allows(THREE MEET("t2") LEAVE("t2") MEET("t0") LEAVE("t0") "t0 exit\n",
         THREE MEET("t2") MEET("t0") LEAVE("t2") LEAVE("t0") "t0 exit\n", true);
  allows(THREE MEET("t2") LEAVE("t2") MEET("t0") LEAVE("t0") "t0 exit\n",
         THREE MEET("t0") LEAVE("t0") MEET("t2") LEAVE("t2") "t0 exit\n", false);
}

int main(void) {
  test_pairs();
  test_closure();
  test_extensions();
  test_allows();
  test_allows_by_hand();
  test_recorded_again();
  test_interference();
  test_contexts();
  return 0;
}

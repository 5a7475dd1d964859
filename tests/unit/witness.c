// Witnesses: what the reader takes can also have happened or is refused; what is made of a schedule holds
// just what comes before.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include "sim.h"

#define HEAD                                            \
  "sigma 1\nprogram p\nmodule ff\n"                     \
  "site 0 main#0 create\nsite 1 f#0 lock\n"             \
  "access 0 f%%5 write 4 a.c:3:2\naccess 1 g%%0 read\n" \
  "schedule 0\norigin written\norder hb\nat main\nwhen false\n"
#define BEGIN "t0 create 0 t1\nt1 enter f\n"

static const struct {
  const char *events, *says;  // NULL: it is one
} texts[] = {
    {"incomplete\n" BEGIN "t0 access 1\nt1 access 0 12\n", NULL},
    {"incomplete\n" BEGIN "t0 access 0\nt1 access 0\n", NULL},
    {BEGIN "t0 access 1\nt1 access 0\n", "only an incomplete schedule"},
    {"incomplete\n" BEGIN "t1 access 0\n", "accesses must be the last two"},
    {"incomplete\n" BEGIN "t0 access 1\nt1 access 0\nt1 lock 1 m0\n", "accesses must be the last two"},
    {"incomplete\n" BEGIN "t0 access 1\nt1 lock 1 m0\nt1 access 0\n", "accesses must be the last two"},
    {"incomplete\n" BEGIN "t1 access 1\nt1 access 0\n", "both accesses belong to t1"},
    {"incomplete\nt0 create 0 t1\nt0 access 1\nt1 access 0\n", "t1 has not entered"},
    {"incomplete\n" BEGIN "t1 exit\nt0 access 1\nt1 access 0\n", "t1 has exited"},
};

static void test_texts(void) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    char *text = mem_format(HEAD "%send\n", texts[i].events);
    Diags *d = diags_new();
    Sigma *s = sigma_parse(span_of(text, strlen(text)), "w.sched", d);
    assert(s && !diags_count(d));
    bool ok = sigma_check(s, d);
    assert(ok == !texts[i].says);
    assert(ok || strstr(diags_at(d, 0)->text, texts[i].says));
    assert(!ok || schedule_is_witness(s->schedules.at[0]));
    sigma_free(s);
    diags_free(d);
    mem_free(text);
  }
}

static void test_occurrences(void) {
  Diags *d = diags_new();
  char *text = mem_format(HEAD "incomplete\n" BEGIN "%s", "t0 access 1 7\nt1 access 0\nend\n");
  Sigma *s = sigma_parse(span_of(text, strlen(text)), "w.sched", d);
  const Schedule *c = s->schedules.at[0];
  assert(schedule_occurrence(c, 2) == 7 && schedule_occurrence(c, 3) == SIGMA_NONE);
  assert(s->accesses.at[0].writes && s->accesses.at[0].bytes == 4 && s->accesses.at[0].line == 3);
  assert(!s->accesses.at[1].writes && s->accesses.at[1].bytes == SIGMA_NONE);
  mem_free(text);
  sigma_free(s);
  diags_free(d);
}

static bool ends_before(const Order *o, Segment a, Segment b) {
  uint32_t end = segment_end(o, a), begin = segment_begin(o, b);
  return end != SIGMA_NONE && begin != SIGMA_NONE && (end == begin || order_before(o, end, begin));
}

static bool is_idle(const Order *o, Segment s) {
  const Event *e = &order_schedule(o)->events.at[segment_begin(o, s)];
  return e->kind == SYNC_EXIT || (e->phase == EVENT_ARRIVE && e->outcome == SYNC_OK);
}

// Every event that it keeps comes before one of the segments, and every event that comes before is kept.
static size_t needed(const Order *o, Segment a, Segment b) {
  size_t n = 0;
  uint32_t ends[] = {segment_begin(o, a), segment_begin(o, b)};
  for (uint32_t i = 0; i < order_schedule(o)->events.len; ++i) {
    bool before = false;
    for (int k = 0; k < 2; ++k)
      before |= ends[k] != SIGMA_NONE && (i == ends[k] || order_before(o, i, ends[k]));
    n += before;
  }
  return n;
}

static void try_pair(const Order *o, Segment a, Segment b, size_t *made) {
  WitnessSide x = {
      .segment = a, .name = "f%1", .writes = true, .bytes = 4, .file = "a.c", .line = 1, .column = 2};
  WitnessSide y = {.segment = b, .name = "g%2", .bytes = SIGMA_NONE};
  Diags *d = diags_new();
  Sigma *w = witness_make(o, x, y, d);
  bool possible = !is_idle(o, a) && !is_idle(o, b) && !ends_before(o, a, b) && !ends_before(o, b, a);
  assert((w != NULL) == possible && diags_errors(d) == !possible);
  if (w) {
    Bytes once = {0}, twice = {0};
    bool ok = sigma_check(w, d);
    diags_print(d, stderr, "test");
    assert(ok && w->schedules.at[0]->events.len == needed(o, a, b) + 2);
    sigma_print(w, &once);
    Sigma *again = sigma_parse(span_of(once.at, once.len), "again.sched", d);
    assert(again);
    sigma_print(again, &twice);
    assert(once.len == twice.len && !memcmp(once.at, twice.at, once.len));
    sigma_free(again);
    vec_free(&once), vec_free(&twice);
    ++*made;
  }
  sigma_free(w);
  diags_free(d);
}

static void test_made(void) {
  size_t made = 0;
  uint64_t state = 7;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    Sigma *s = sim_sigma(sim_options(seed));
    Diags *d = diags_new();
    Order *o = order_new(s, 0, d);
    uint32_t threads = o ? order_schedule(o)->threads : 0;
    for (int i = 0; threads > 1 && i < 200; ++i) {
      uint32_t t = sim_below(&state, threads), u = sim_below(&state, threads);
      if (t == u || !order_count(o, t) || !order_count(o, u)) continue;
      Segment a = {t, 1 + sim_below(&state, order_count(o, t))},
              b = {u, 1 + sim_below(&state, order_count(o, u))};
      try_pair(o, a, b, &made);
    }
    order_free(o);
    sigma_free(s);
    diags_free(d);
  }
  assert(made > 1000);
}

int main(void) {
  test_texts();
  test_occurrences();
  test_made();
  return 0;
}

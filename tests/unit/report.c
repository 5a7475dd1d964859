// Every report of many schedules of all kinds; and what the page relies on when it marks what is ordered
// before an event: program order, waits and barriers together are the enforced order.
#undef NDEBUG
#include <assert.h>
#include "report/report.h"
#include "sim.h"

static bool plain(const Bytes *b) {
  for (size_t i = 0; i < b->len; ++i)
    if (b->at[i] == 0x7f || (b->at[i] < ' ' && b->at[i] != '\n')) return false;
  return b->len && vec_last(b) == '\n';
}

static void mark_before(const Order *o, uint32_t event, bool *before) {
  const Schedule *c = order_schedule(o);
  for (uint32_t i = event + 1; i--;) {
    if (i != event && !before[i]) continue;
    const uint32_t *arrivals;
    const OrderWait *waits;
    if (order_position(o, i)) before[order_event(o, c->events.at[i].thread, order_position(o, i) - 1)] = true;
    for (size_t k = order_waits(o, i, &waits); k--;) before[waits[k].event] = true;
    if (order_generation(o, i) == SIGMA_NONE || c->events.at[i].phase != EVENT_DEPART) continue;
    for (size_t k = order_arrivals(o, order_generation(o, i), &arrivals); k--;) before[arrivals[k]] = true;
  }
}

static void test_before(const Order *o) {
  uint32_t n = (uint32_t)order_schedule(o)->events.len;
  if (order_schedule(o)->order == SIGMA_TOTAL) return;
  for (uint32_t event = 0; event < n; event += 7) {
    bool *before = mem_array(n, sizeof *before);
    mark_before(o, event, before);
    for (uint32_t i = 0; i < n; ++i) assert(before[i] == order_before(o, i, event));
    mem_free(before);
  }
}

static void test_reports(uint64_t seed) {
  static void (*const reports[])(const Shown *, Bytes *) = {report_summary, report_schedules, report_json,
                                                            report_trace, report_html};
  Sigma *s = sim_sigma(sim_options(seed));
  if (seed % 3 == 0) sim_schedule(s, sim_options(seed + 1000));
  Diags *diags = diags_new();
  Vec(Order *) orders = {0};
  for (uint32_t i = 0; i < s->schedules.len; ++i) {
    vec_push(&orders, order_new(s, i, diags));
    assert(orders.at[i]);
    test_before(orders.at[i]);
  }
  for (size_t i = 0; i < sizeof reports / sizeof *reports; ++i) {
    Shown all = {s, 0, (uint32_t)orders.len, orders.at}, none = {s, 0, 0, NULL};
    Bytes out = {0}, empty = {0};
    reports[i](&all, &out);
    reports[i](&none, &empty);
    assert(plain(&out) && plain(&empty) && empty.len < out.len);
    vec_free(&out), vec_free(&empty);
  }
  for (vec_each(i, &orders)) order_free(orders.at[i]);
  vec_free(&orders);
  diags_free(diags);
  sigma_free(s);
}

int main(void) {
  for (uint64_t seed = 0; seed < 200; ++seed) test_reports(seed);
  return 0;
}

// The reader of Σ, and what stands on what it accepts: what it reads it writes so that it reads the same;
// orders agree with what they wait for.
#undef NDEBUG
#include <assert.h>
#include "fuzz.h"
#include "sigma/sigma.h"

static void read_again(const Sigma *s, Diags *diags) {
  Bytes once = {0}, twice = {0};
  sigma_print(s, &once);
  Sigma *again = sigma_parse(span_of(once.at, once.len), "again.sigma", diags);
  assert(again);
  sigma_print(again, &twice);
  assert(once.len == twice.len && !memcmp(once.at, twice.at, once.len));
  sigma_free(again);
  vec_free(&once);
  vec_free(&twice);
}

static void look(const Order *o) {
  uint32_t n = (uint32_t)order_schedule(o)->events.len;
  for (uint32_t i = 0; i < n; ++i) {
    const OrderWait *waits;
    size_t count = order_waits(o, i, &waits);
    for (size_t k = 0; k < count; ++k) {
      assert(order_before(o, waits[k].event, i) && !order_before(o, i, waits[k].event));
      assert(!waits[k].credit || order_happens_before(o, waits[k].event, i));
    }
    Segment s = {order_schedule(o)->events.at[i].thread, order_position(o, i)};
    assert(segment_end(o, s) == i && context_of(o, s).segment.index == s.index);
  }
  assert(order_allows(o, o));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(span_of(data, size), "fuzz.sigma", diags);
  assert((s == NULL) == (diags_errors(diags) == 1));
  for (uint32_t i = 0; s && i < s->schedules.len; ++i) {
    Order *o = order_new(s, i, diags);
    if (o) look(o);
    order_free(o);
  }
  if (s) {
    size_t before = diags_errors(diags);
    bool ok = sigma_check(s, diags);
    assert(ok == (before == 0));
    read_again(s, diags);
    for (uint32_t i = 0; i < s->schedules.len; ++i) sigma_settle(s, i, diags);
    read_again(s, diags);
  }
  sigma_free(s);
  diags_free(diags);
  return 0;
}

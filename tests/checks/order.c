// sigma/order: what order_check notices.
#undef NDEBUG
#include "sigma/order.c"
#include "dies.h"
#include "sim.h"

static void check(void *o) {
  order_check(o);
}

static Order *order_of(const Sigma *s) {
  Diags *diags = diags_new();
  Order *o = order_new(s, 0, diags);
  assert(o && !diags_count(diags));
  diags_free(diags);
  return o;
}

// An event that waits for something.
static uint32_t waiting(const Order *o) {
  uint32_t i = 0;
  while (o->first_wait[i] == o->first_wait[i + 1]) ++i;
  return i;
}

static void test_waits(Order *o) {
  uint32_t i = waiting(o), first = o->first_wait[i];
  OrderWait kept = o->waits.at[first];
  o->waits.at[first].event = i & INT32_MAX;
  dies_in("check_waits", check, o);
  o->waits.at[first] = kept;
  o->first_wait[i + 1]++;
  dies_in("check_waits", check, o);
  o->first_wait[i + 1]--;
  o->waits.len--;
  dies_in("check_waits", check, o);
  o->waits.len++;
  order_check(o);
}

static void test_clocks(Order *o) {
  uint32_t i = waiting(o), kept = o->enforced.at[i];
  o->enforced.at[i] = 0;  // knows nothing of what it waits for
  dies_in("check_waits", check, o);
  o->enforced.at[i] = kept;
  uint32_t last = (uint32_t)o->schedule->events.len - 1;
  while (clock_of(o->enforced.clocks, o->enforced.at[last], 0) < 2) --last;
  uint32_t first = order_event(o, 0, 0), clock = o->enforced.at[first];
  o->enforced.at[first] = o->enforced.at[last];  // knows what its own thread has not done yet
  dies_in("check_times", check, o);
  o->enforced.at[first] = clock;
  Clocks *clocks = o->enforced.clocks;
  o->enforced.clocks = NULL;
  dies_in("order_check", check, o);
  o->enforced.clocks = clocks;
  order_check(o);
}

int main(void) {
  Sigma *s = sim_sigma((SimOptions){.seed = 3, .threads = 4, .events = 100, .objects = 2});
  Order *o = order_of(s);
  test_waits(o);
  test_clocks(o);
  o->walk.position[1]++;  // it is whole only if its walk is
  dies_in("check_sequences", check, o);
  o->walk.position[1]--;
  order_free(o);
  s->schedules.at[0]->order = SIGMA_TOTAL;
  o = order_of(s);
  test_waits(o);
  order_free(o);
  sigma_free(s);
  return 0;
}

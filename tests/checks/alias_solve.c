// alias/solve: what solution_check notices.
#undef NDEBUG
#include "alias/solve.c"
#include "alias_sample.h"
#include "dies.h"

static void check(void *a) {
  solution_check(((Alias *)a)->sol, ((Alias *)a)->sys);
}

// A node whose set is its own and holds something.
static uint32_t node_of(const Solution *r) {
  for (uint32_t n = 1; n < r->nodes; ++n)
    if (r->same[n] == n && r->sets[n].len && !set_has(&r->sets[n], SPOT_UNKNOWN)) return n;
  assert(!"the sample has such a node");
}

static void test_sets(Alias *a) {
  Solution *r = a->sol;
  uint32_t n = node_of(r), nodes = r->nodes;
  r->same[n] = nodes;
  dies_in("solution_check", check, a);
  r->same[n] = n, r->nodes = a->sys->nodes - 1;
  dies_in("solution_check", check, a);
  r->nodes = nodes;
  uint64_t bits = r->sets[n].bits[0];
  r->sets[n].bits[0] = 0;
  dies_in("set_check", check, a);
  r->sets[n].bits[0] = bits;
  set_add(&r->sets[n], spots_count(a->sys->spots));
  dies_in("solution_check", check, a);
}

// What flows along a copy, or into a call, must have arrived.
static void test_copies(Alias *a) {
  Solution *r = a->sol;
  const Edge *e = a->sys->edges.at;
  while (e->shift || r->same[e->src] == r->same[e->dst] || !solution_set(r, e->src)->len) ++e;
  Set *to = &r->sets[r->same[e->dst]], kept = *to;
  *to = (Set){0};
  dies_in("check_copy", check, a);
  *to = kept;
  assert(r->targets.len);
  r->targets.at[0].item = (uint32_t)a->sys->routines.len;
  dies_in("check_copies", check, a);
}

static void test_escapes(Alias *a) {
  Solution *r = a->sol;
  uint32_t o = 0, stored = 0;
  while (!r->escaped[o]) ++o;
  r->escaped[o] = false;
  dies_in("check_leak", check, a);
  r->escaped[o] = true;
  while (!r->stored[stored].len) ++stored;
  r->stored[stored].at[0].spot = SPOT_UNKNOWN;
  dies_in("check_escapes", check, a);
}

int main(void) {
  static void (*const tests[])(Alias *) = {test_sets, test_copies, test_escapes};
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    Alias *a = sample_new();
    check(a);
    tests[i](a);
    sample_free(a);
  }
  return 0;
}

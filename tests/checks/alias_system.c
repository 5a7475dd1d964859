// alias/system: what system_check notices.
#undef NDEBUG
#include "alias/system.c"
#include "alias_sample.h"
#include "dies.h"

static void check(void *s) {
  system_check(s);
}

static void test_flow(System *s) {
  Edge edge = s->edges.at[0];
  s->edges.at[0].dst = s->nodes;
  dies_in("check_flow", check, s);
  s->edges.at[0] = (Edge){.dst = edge.src, .src = edge.src};  // says nothing
  dies_in("check_flow", check, s);
  s->edges.at[0] = edge;
  s->stores.at[0].value = NODE_NONE;
  dies_in("check_flow", check, s);
  s->stores.at[0].value = 0;
}

static void test_objects(System *s) {
  s->sizes.len--;
  dies_in("check_objects", check, s);
  s->sizes.len++;
  uint32_t spot = s->bases.at[1].spot;
  s->bases.at[1].spot = spots_count(s->spots);
  dies_in("check_objects", check, s);
  s->bases.at[1].spot = spot;
  assert(s->moves.len);
  s->moves.at[0].object = OBJECT_UNKNOWN;
  dies_in("check_moves", check, s);
}

static void test_calls(System *s) {
  uint32_t object = s->routines.at[0].object;
  s->routine_of[object] = NODE_NONE;
  dies_in("check_routines", check, s);
  s->routine_of[object] = 0, s->routines.at[0].extra++;
  dies_in("check_routines", check, s);
  s->routines.at[0].extra--;
  s->calls.at[0].count = (uint32_t)s->args.len + 1;
  dies_in("check_calls", check, s);
}

static void test_rest(System *s) {
  set_add(&s->queried, s->nodes);
  dies_in("system_check", check, s);
}

int main(void) {
  static void (*const tests[])(System *) = {test_flow, test_objects, test_calls, test_rest};
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    Alias *a = sample_new();
    system_check(a->sys);
    tests[i](a->sys);
    sample_free(a);
  }
  return 0;
}

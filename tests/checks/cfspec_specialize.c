// cfspec/specializer: what module_check and spec_check notice.
#undef NDEBUG
#include "cfspec/specialize.c"
#include "cfspec_sample.h"
#include "dies.h"

static void check(void *s) {
  spec_check(s);
}

static void check_module(void *k) {
  module_check(k);
}

static void test_module(const Sample *x, Module *k) {
  uint32_t helper = calls_function(&x->c, "helper"), work = calls_function(&x->c, "work");
  LLVMValueRef kept = k->address[helper];
  module_check(k);
  k->address[helper] = k->address[work];
  dies_in("module_check", check_module, k);
  k->address[helper] = kept, k->generic = k->cloned + 1;
  dies_in("module_check", check_module, k);
  k->generic = 0;
  intern_id(k->words, "of no constant", 14);
  dies_in("module_check", check_module, k);
}

static void test_events(Spec *s) {
  s->before[3] = 9;  // more than its thread does
  dies_in("check_places", check, s);
  s->before[3] = order_position(s->order, 3);
  uint32_t place = s->place[3];
  assert(place && s->place[4]);
  s->place[3] = s->place[4];
  dies_in("check_places", check, s);
  s->place[3] = 0;
  dies_in("check_places", check, s);
  s->place[3] = place;
}

static void test_rest(Spec *s) {
  s->create[1] = 1;  // its entry
  dies_in("check_threads", check, s);
  s->create[1] = 0, s->exit_event[1] = 0;
  dies_in("check_threads", check, s);
  s->exit_event[1] = 6;
  spec_check(s);
  assert(s->quiet_bodies.len == 1);
  s->quiet_bodies.at[0].clone = s->clone[0];
  dies_in("spec_check", check, s);
  s->quiet_bodies.len = 0;
  dies_in("spec_check", check, s);
  s->quiet_bodies.len = 1;
}

int main(void) {
  Sample x = sample_new();
  uint32_t id = 0;
  CfspecInput in = {.module = x.c.module, .sites = x.c.sites, .graph = x.c.graph, .sync = x.c.may};
  in.sigma = x.sigma, in.schedules = &id, in.count = 1, in.soften = true;
  Module k = module_begin(&in, x.d);
  bool *wanted = mem_array(callgraph_count(k.graph) + 1, sizeof *wanted);
  Plan plan;
  Points points;
  assert(plan_make(&plan, x.sigma, 0, k.graph, true, x.d) && points_make(&points, &k, &in));
  want_functions(&k, &plan, 1, wanted), want_callees(&k, wanted);
  bool *left = mem_array(callgraph_count(k.graph) + 1, sizeof *left);
  assert(prepare_functions(&k, wanted, left));
  mem_free(left);
  stubs_make(&k), runtime_state(&k, &in);
  Spec s = spec_begin(&k, &plan, 0, &points, NULL);
  nodes_prepare(&s), declare_clones(&s);
  for (vec_each(a, &plan.activations)) assert(clone_body(&s, &plan.activations.at[a], s.clone[a], false));
  schedule_constant(&s);
  spec_check(&s);
  test_events(&s);
  test_rest(&s);
  test_module(&x, &k);
  spec_end(&s);
  points_free(&points), plan_free(&plan), mem_free(wanted);
  module_end(&k);
  sample_free(&x);
  return 0;
}

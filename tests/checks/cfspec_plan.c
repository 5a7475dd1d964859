// cfspec/plan: what plan_check notices.
#undef NDEBUG
#include "cfspec/plan.c"
#include "cfspec_sample.h"
#include "dies.h"

static void check(void *p) {
  plan_check(p);
}

static Activation *activation_of(const Sample *x, Plan *p, const char *function) {
  for (vec_each(i, &p->activations))
    if (p->activations.at[i].function == calls_function(&x->c, function)) return &p->activations.at[i];
  assert(!"the plan has such an activation");
}

static void test_activations(const Sample *x, Plan *p) {
  Activation *work = activation_of(x, p, "work"), *helper = activation_of(x, p, "helper");
  assert(p->activations.len == 3 && work->steps.len == 1 && helper->steps.len == 2);
  helper->caller = 0;  // another thread's
  dies_in("check_callee", check, p);
  helper->caller = (uint32_t)(work - p->activations.at);
  work->caller = 0;  // nobody calls a routine
  dies_in("check_begin", check, p);
  work->caller = PLAN_NONE, p->routine[1] = PLAN_NONE;
  dies_in("check_begin", check, p);
  p->routine[1] = helper->caller;
  uint32_t end = helper->end_event;
  helper->end_event = 3;  // before its last step
  dies_in("check_activation", check, p);
  helper->end_event = end;
  work->steps.at[0].callee = PLAN_NONE;  // who is called says otherwise
  dies_in("plan_check", check, p);
  work->steps.at[0].callee = 0;
  dies_in("check_callee", check, p);
  work->steps.at[0].callee = (uint32_t)(helper - p->activations.at);
  plan_check(p);
}

static void test_steps(const Sample *x, Plan *p) {
  Activation *helper = activation_of(x, p, "helper");
  helper->steps.len--;  // nobody unlocks
  dies_in("check_events", check, p);
  helper->steps.len++;
  Step *lock = &helper->steps.at[0], *unlock = lock + 1, kept = *unlock;
  *unlock = *lock;  // one event in two steps
  dies_in("check_activation", check, p);
  *unlock = kept, unlock->site = lock->site;
  dies_in("check_event", check, p);
  *unlock = kept;
  uint32_t soft = calls_site(&x->c, "main#1");
  assert(plan_soft(p, soft));
  p->soft[soft] = false;  // then its call must stand somewhere
  dies_in("check_events", check, p);
  p->soft[soft] = true, p->soft[lock->site] = true;
  dies_in("check_step", check, p);
}

int main(void) {
  Sample x = sample_new();
  Plan p;
  assert(plan_make(&p, x.sigma, 0, x.c.graph, true, x.d));
  test_activations(&x, &p);
  test_steps(&x, &p);
  plan_free(&p);
  sample_free(&x);
  return 0;
}

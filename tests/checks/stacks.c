// sigma/stacks: how openers nest, and what stacks_check notices.
#undef NDEBUG
#include "sigma/stacks.c"
#include "dies.h"
#include "sigma/sigma.h"

static Event event(int kind, uint32_t site) {
  return event_of(0, kind, site);
}

// call 0 { callback { call 1 { } } callback { } } exit
static void add_events(Schedule *c) {
  vec_push(&c->events, event(EVENT_CALL, 0));
  vec_push(&c->events, event(EVENT_CALLBACK, SIGMA_NONE));
  vec_push(&c->events, event(EVENT_CALL, 1));
  vec_push(&c->events, event(EVENT_RET, 1));
  vec_push(&c->events, event(EVENT_CALLBACK, SIGMA_NONE));
  vec_push(&c->events, event(EVENT_UNWIND, 0));
  vec_push(&c->events, event(EVENT_RET, 0));
}

static void test_nesting(const Schedule *c) {
  EventStacks *s = stacks_new(c);
  assert(stacks_inner(s, 7) == SIGMA_NONE && stacks_call(s, 7) == SIGMA_NONE);
  StackStep x = stacks_pass(s, 0);
  assert(x.opens && x.around == SIGMA_NONE && x.over == SIGMA_NONE && stacks_inner(s, 0) == 0);
  x = stacks_pass(s, 1);
  assert(x.opens && x.around == 0 && stacks_inner(s, 0) == 1 && stacks_call(s, 0) == 0);
  x = stacks_pass(s, 2);
  assert(x.opens && x.around == 1 && stacks_calls(s, 0) == 2 && stacks_depth(s, 0) == 3);
  x = stacks_pass(s, 3);
  assert(x.left == 2 && x.around == 2 && x.over == SIGMA_NONE && !x.wrong);
  x = stacks_pass(s, 4);
  assert(x.over == 1 && x.around == 0 && x.opens);
  x = stacks_pass(s, 5);
  assert(x.over == 4 && x.left == 0 && stacks_depth(s, 0) == 0);
  stacks_check(s);
  x = stacks_pass(s, 6);
  assert(x.wrong && x.around == SIGMA_NONE && x.left == SIGMA_NONE);
  stacks_free(s);
}

static void check(void *s) {
  stacks_check(s);
}

static void test_damage(const Schedule *c) {
  EventStacks *s = stacks_new(c);
  for (uint32_t i = 0; i < 3; ++i) stacks_pass(s, i);
  stacks_check(s);
  EventStack *t = &s->threads.at[0];
  t->calls++;
  dies_in("stacks_check", check, s);
  t->calls--, t->openers.at[2] = 0;  // in no order
  dies_in("stacks_check", check, s);
  t->openers.at[2] = 3;  // opens nothing
  dies_in("stacks_check", check, s);
  t->openers.at[2] = 2;
  stacks_check(s);
  stacks_free(s);
}

int main(void) {
  Sigma *s = sigma_new("app", "");
  Schedule *c = sigma_add_schedule(s);
  add_events(c);
  test_nesting(c);
  test_damage(c);
  sigma_free(s);
  return 0;
}

// alias/effects: what effects_check notices.
#undef NDEBUG
#include "alias/effects.c"
#include "alias_sample.h"
#include "dies.h"

static void check(void *e) {
  effects_check(e);
}

static uint32_t id_named(const Effects *e, const char *name) {
  return id_of(e, LLVMGetNamedFunction(e->a->build.module, name));
}

static void test_functions(Effects *e) {
  Effect *f = &e->functions.at[id_named(e, "second")];
  Set kept = f->writes;
  assert(f->callees.len == 1 && kept.len);
  f->writes = (Set){0};  // first, which it calls, writes something
  dies_in("check_functions", check, e);
  f->writes = kept;
  f->callees.at[0] = (uint32_t)e->functions.len;
  dies_in("check_functions", check, e);
  f->callees.at[0] = id_named(e, "first");
}

static void test_threads(Effects *e) {
  uint32_t routine = id_named(e, "routine"), t = 1;
  while (e->threads.at[t].start != e->functions.at[routine].function) ++t;
  Set runs = e->runs.at[t], touches = e->touches.at[t];
  e->runs.at[t] = (Set){0};
  dies_in("check_thread", check, e);
  e->runs.at[t] = runs, e->touches.at[t] = (Set){0};
  dies_in("check_thread", check, e);
  e->touches.at[t] = touches, e->threads.at[0].many = true;
  dies_in("check_thread", check, e);
  e->threads.at[0].many = false;
  e->threads.len--;
  dies_in("effects_check", check, e);
  e->threads.len++;
}

static void test_published(Effects *e) {
  Set kept = e->published;
  e->published = (Set){0};
  dies_in("effects_check", check, e);
  e->published = kept;
  set_add(&e->published, e->a->sol->objects);
  dies_in("effects_check", check, e);
}

int main(void) {
  Alias *a = sample_new();
  effects_check(a->effects);
  test_functions(a->effects);
  test_threads(a->effects);
  effects_check(a->effects);
  test_published(a->effects);
  sample_free(a);
  return 0;
}

// sigma/whole: what sigma_assert_whole notices.
#undef NDEBUG
#include <assert.h>
#include "dies.h"
#include "sim.h"

static void check(void *s) {
  sigma_assert_whole(s);
}

static void fails(const char *function, Sigma *s) {
  dies_in(function, check, s);
}

static void test_sites(Sigma *s) {
  SigmaSite *last = &vec_last(&s->sites), kept = *last;
  last->name = intern_count(s->texts);
  fails("check_sites", s);
  *last = kept, last->name = s->sites.at[0].name;  // two of one name
  fails("check_sites", s);
  *last = kept, last->file = intern_count(s->texts);
  fails("check_sites", s);
  *last = kept, last->kind = SYNC_INIT;
  fails("check_sites", s);
  *last = kept, last->kind = SYNC_CREATE, last->excluded = true;
  fails("check_sites", s);
  *last = kept;
  s->sites.len--;
  fails("check_sites", s);
  s->sites.len++;
}

static void test_tables(Sigma *s) {
  uint32_t module = s->module;
  s->module = SIGMA_NONE;
  fails("sigma_assert_whole", s);
  s->module = module;
  SigmaAccess a = {.name = 0, .file = SIGMA_NONE};
  vec_push(&s->accesses, a);
  sigma_assert_whole(s);
  vec_push(&s->accesses, a);
  fails("check_accesses", s);
  s->accesses.len = 0;
  vec_push(&s->exclusions, ((SigmaExclusion){SYNC_COND, 0}));
  fails("check_exclusions", s);
  s->exclusions.len--;
}

static void test_run(Sigma *s) {
  Schedule *c = s->schedules.at[0];
  Term when = c->when;
  c->when = term_argc(s->terms);
  fails("check_run", s);
  c->when = when, c->at_line = c->at_file == SIGMA_NONE ? 3 : 0;
  fails("check_run", s);
  c->at_line = c->at_file == SIGMA_NONE ? 0 : 3, c->end_number = 256;
  fails("check_run", s);
  c->end_number = 0;
  vec_push(&c->argv, SIGMA_NONE);
  fails("check_run", s);
  c->argv.len--;
  uint32_t crash = c->crash_thread;
  c->crash_thread = c->threads;
  fails("check_run", s);
  c->crash_thread = crash;
}

static void test_objects(Sigma *s) {
  Schedule *c = s->schedules.at[0];
  SigmaObject *o = &c->objects.at[0], kept = *o;
  o->family = SYNC_THREAD;
  fails("check_objects", s);
  *o = kept, o->number = c->next_number[o->family];
  fails("check_objects", s);
  *o = kept, o->amount = 1u << 31;
  fails("check_objects", s);
  *o = kept, o->robust = o->prefer_writer = true;
  fails("check_objects", s);
  *o = kept;
  vec_push(&c->objects, kept);  // of the same number
  fails("check_objects", s);
  c->objects.len--;
}

static void test_events(Sigma *s) {
  Schedule *c = s->schedules.at[0];
  uint32_t i = 0;
  while (event_shape(c->events.at[i].kind) != (EVENT_HAS_SITE | EVENT_HAS_OBJECT)) ++i;
  Event *e = &c->events.at[i], kept = *e;
  e->thread = c->threads;
  fails("check_events", s);
  *e = kept, e->outcome = 3;
  fails("check_events", s);
  *e = kept, e->phase = event_count(e->kind) == 1 ? EVENT_ARRIVE : EVENT_WHOLE;
  fails("check_events", s);
  *e = kept, e->wake = EVENT_SPURIOUS, e->kind = SYNC_POST;
  fails("check_events", s);
  *e = kept, e->site = (uint32_t)s->sites.len;
  fails("check_operands", s);
  *e = kept, e->object = SIGMA_NONE;
  fails("check_operands", s);
  *e = kept, e->other = 0;
  fails("check_operands", s);
  *e = kept, c->threads++;
  fails("check_events", s);
  c->threads--;
}

int main(void) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Sigma *s = sim_sigma(sim_options(seed));
    sigma_assert_whole(s);
    sigma_free(s);
  }
  Sigma *s = sim_sigma((SimOptions){.seed = 1, .threads = 4, .events = 100, .objects = 2});
  test_sites(s);
  test_tables(s);
  test_run(s);
  test_objects(s);
  test_events(s);
  sigma_assert_whole(s);
  sigma_free(s);
  return 0;
}

// record/importer: what importer_check notices.
#undef NDEBUG
#include <assert.h>
#include "dies.h"
#include "record/importer.h"
#include "sim.h"

static void check(void *k) {
  importer_check(k);
}

static void fails(const char *function, Importer *k) {
  dies_in(function, check, k);
}

// As if a recording of the schedule had been read up to its end.
static Importer importer_of(Sigma *s) {
  Importer k = {.s = s, .c = s->schedules.at[0], .began = true, .first_input = SIZE_MAX};
  k.thread_of = map_new(), k.site_of = map_new(), k.object_of = map_new();
  k.stacks = stacks_new(k.c);
  for (uint32_t t = 0; t < k.c->threads; ++t) {
    ImportThread one = {.number = t, .enter = SIGMA_NONE, .arrival = SIGMA_NONE};
    map_put(k.thread_of, t, t);
    vec_push(&k.threads, one);
  }
  for (uint32_t o = 0; o < k.c->objects.len; ++o) map_put(k.object_of, o + 1, o);
  for (uint32_t i = 0; i < k.c->events.len; ++i) {
    const Event *e = &k.c->events.at[i];
    if (e->kind == SYNC_ENTER) k.threads.at[e->thread].enter = i;
    k.threads.at[e->thread].last_call = e->kind == EVENT_CALL;
    stacks_pass(k.stacks, i);
  }
  return k;
}

static void importer_end(Importer *k) {
  stacks_free(k->stacks);
  map_free(k->thread_of), map_free(k->site_of), map_free(k->object_of);
  for (vec_each(i, &k->threads)) vec_free(&k->threads.at[i].handling);
  vec_free(&k->threads);
}

static void test_threads(Importer *k) {
  ImportThread *t = &k->threads.at[1], kept = *t;
  t->number = 0;
  fails("check_thread", k);
  *t = kept, t->enter++;
  fails("check_thread", k);
  *t = kept, t->arrival = t->enter;
  fails("check_thread", k);
  *t = kept, t->handlers++;
  fails("check_thread", k);
  *t = kept;
  assert(stacks_inner(k->stacks, 0) == SIGMA_NONE && !k->threads.at[0].last_call);
  k->threads.at[0].last_call = true;
  fails("check_thread", k);
  k->threads.at[0].last_call = false, k->threads.len--;
  fails("importer_check", k);
  k->threads.len++;
}

static void test_tables(Importer *k) {
  k->began = false;
  fails("importer_check", k);
  k->began = k->ended = true, k->ender = k->threads.len;
  fails("importer_check", k);
  k->ended = false, k->first_input = k->c->events.len + 1;
  fails("importer_check", k);
  k->first_input = SIZE_MAX, k->c->objects.len--;
  fails("importer_check", k);
  k->c->objects.len++;
}

static void test_inputs(Importer *k) {
  static const char *const names[] = {"stdin", "/a", "/b"};
  for (int i = 0; i < 3; ++i)
    vec_push(&k->c->inputs,
             ((SigmaInput){.name = sigma_intern(k->s, names[i]), .lost = true, .hash = SIGMA_NONE}));
  fails("check_inputs", k);
  k->reads_stdin = true;
  importer_check(k);
  k->c->inputs.at[2].name = k->c->inputs.at[1].name;
  fails("check_inputs", k);
  k->c->inputs.len = 0;
}

int main(void) {
  Sigma *s = sim_sigma((SimOptions){.seed = 2, .threads = 4, .events = 100, .objects = 2, .plain = true});
  Importer k = importer_of(s);
  importer_check(&k);
  test_threads(&k);
  test_tables(&k);
  test_inputs(&k);
  importer_check(&k);
  importer_end(&k);
  sigma_free(s);
  return 0;
}

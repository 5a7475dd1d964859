// What the parts of the import take for granted of each other.
#include <assert.h>
#include "importer.h"

static const Event *event_at(const Importer *k, uint32_t i) {
  assert(i < k->c->events.len);
  return &k->c->events.at[i];
}

static void check_thread(const Importer *k, uint32_t i) {
  const ImportThread *t = &k->threads.at[i];
  unsigned handlers = 0;
  assert(t->number == i);
  if (t->enter != SIGMA_NONE)
    assert(event_at(k, t->enter)->kind == SYNC_ENTER && event_at(k, t->enter)->thread == i);
  if (t->arrival != SIGMA_NONE) {
    const Event *e = event_at(k, t->arrival);
    assert(e->kind == SYNC_WAIT && e->phase == EVENT_ARRIVE && e->thread == i);
  }
  for (vec_each(n, &t->handling)) handlers += t->handling.at[n] != SIZE_MAX;
  assert(t->handlers == handlers);
  uint32_t inner = stacks_inner(k->stacks, i);
  assert(!t->last_call || (inner != SIGMA_NONE && event_at(k, inner)->kind == EVENT_CALL));
}

// Standard input first, then files by name, each once.
static void check_inputs(const Importer *k) {
  for (size_t i = k->reads_stdin ? 2 : 1; i < k->c->inputs.len; ++i)
    assert(strcmp(sigma_text(k->s, k->c->inputs.at[i - 1].name), sigma_text(k->s, k->c->inputs.at[i].name)) <
           0);
}

void importer_check(const Importer *k) {
  assert(k->s->schedules.len && vec_last(&k->s->schedules) == k->c);
  assert(k->threads.len == k->c->threads && map_count(k->thread_of) <= k->threads.len);
  assert(map_count(k->object_of) <= k->c->objects.len);  // flags that were made anew are several
  assert(k->began || !k->c->events.len);
  assert(!k->ended || k->ender < k->threads.len);
  assert(k->first_input == SIZE_MAX || k->first_input <= k->c->events.len);
  stacks_check(k->stacks);
  for (uint32_t i = 0; i < k->threads.len; ++i) check_thread(k, i);
  check_inputs(k);
}

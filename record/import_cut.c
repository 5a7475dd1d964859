// What is recorded is accepted (rule 9): where the events cannot be those of a run through the module, as far
// as Σ can express them, the schedule ends, incomplete, and the reason is told.
#include <assert.h>
#include "importer.h"
#include "validate.h"

static const char *reason(const Diags *d) {
  for (size_t i = 0; i < diags_count(d); ++i)
    if (diags_at(d, i)->kind == DIAG_ERROR) return diags_at(d, i)->text;
  return "they cannot be followed through the code";
}

static void keep(Importer *k, size_t events, const Diags *why) {
  Schedule *c = k->c;
  assert(events < c->events.len);
  diag_warning(k->diags, "only the first %zu of %zu events are used: %s", events, c->events.len, reason(why));
  c->events.len = events;
  c->incomplete = true;
  c->threads = 1;
  for (vec_each(i, &c->events))
    c->threads += c->events.at[i].kind == SYNC_CREATE && c->events.at[i].other != SIGMA_NONE;
  if (c->crash_thread != SIGMA_NONE && c->crash_thread >= c->threads) c->crash_thread = 0;
}

void import_cut(Importer *k) {
  uint32_t id = (uint32_t)k->s->schedules.len - 1;
  Diags *why = diags_new();
  size_t possible = sigma_possible(k->s, id, why);
  if (possible < k->c->events.len) keep(k, possible, why);
  diags_free(why);
  why = diags_new();
  size_t followed = sigma_followed(k->s, id, k->n->sites, k->n->graph, k->n->sync, why);
  if (followed < k->c->events.len) keep(k, followed, why);
  diags_free(why);
}

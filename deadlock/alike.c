#include "alike.h"
#include <stdlib.h>

struct Alike {
  const Order *o;
  const Sigma *s;
  const Schedule *c;
  const Wishes *w;
  Intern *cycles;
};

Alike *alike_new(const Order *o, const Wishes *w) {
  Alike *a = mem_alloc(sizeof *a);
  a->o = o, a->s = order_sigma(o), a->c = order_schedule(o), a->w = w;
  a->cycles = intern_new();
  return a;
}

void alike_free(Alike *a) {
  if (!a) return;
  intern_free(a->cycles);
  mem_free(a);
}

static bool is_own(const Alike *a, uint32_t site) {
  uint32_t file = a->s->sites.at[site].file;
  return file == SIGMA_NONE || finding_is_own_file(sigma_text(a->s, file));
}

// Where an operation stands: the innermost call in a file of the user; outside: one further out.
static uint32_t site_of(const Alike *a, uint32_t event, bool outside) {
  uint32_t site = a->c->events.at[event].site, path = order_path(a->o, event);
  for (; path != SIGMA_NONE; path = context_caller(a->o, path)) {
    if (is_own(a, site) && !outside) return site;
    if (is_own(a, site)) outside = false;
    if (a->c->events.at[path].kind == EVENT_CALL) site = a->c->events.at[path].site;
  }
  return site;
}

// Of what array, structure or kind the object is: its name up to the offset.
static void put_class(const Alike *a, uint32_t node, Bytes *out) {
  bool end = node >= a->c->objects.len;
  const SigmaObject *o = end ? NULL : &a->c->objects.at[node];
  const char *name = o ? sigma_text(a->s, o->name) : "end";
  if (!name) name = family_word((SyncFamily)o->family);
  vec_append(out, name, strcspn(name, "+"));
}

static void put_site(const Alike *a, uint32_t site, Bytes *out) {
  bytes_text(out, site == SIGMA_NONE ? "" : sigma_text(a->s, a->s->sites.at[site].name));
}

// One step: had there, wanted here. A function that only locks is named by its caller.
static char *step_text(const Alike *a, const CycleStep *step) {
  const Wish *w = &a->w->all.at[step->wish];
  const WishHold *h = &a->w->holds.at[w->first + step->hold];
  uint32_t event = w->events.at[0];
  bool wrapped = h->since != SIGMA_NONE && site_of(a, h->since, false) == site_of(a, event, false);
  Bytes out = {0};
  put_site(a, h->since == SIGMA_NONE ? SIGMA_NONE : site_of(a, h->since, wrapped), &out);
  bytes_text(&out, " "), put_class(a, h->node, &out);
  bytes_text(&out, h->shared ? " read, " : ", ");
  put_site(a, site_of(a, event, wrapped), &out);
  bytes_text(&out, " "), put_class(a, w->node, &out);
  bytes_text(&out, w->shared ? " read" : "");
  vec_push(&out, 0);
  return (char *)out.at;
}

static int by_text(const void *p, const void *q) {
  return strcmp(*(char *const *)p, *(char *const *)q);
}

uint32_t alike_of(Alike *a, const Cycle *c) {
  Strings steps = {0};
  Bytes out = {0};
  for (vec_each(i, c)) vec_push(&steps, step_text(a, &c->at[i]));
  qsort(steps.at, steps.len, sizeof *steps.at, by_text);
  for (vec_each(i, &steps)) {
    if (i && !strcmp(steps.at[i - 1], steps.at[i])) continue;
    bytes_text(&out, i ? "; " : ""), bytes_text(&out, steps.at[i]);
  }
  uint32_t id = intern_id(a->cycles, (const char *)out.at, out.len);
  strings_free(&steps);
  vec_free(&out);
  return id;
}

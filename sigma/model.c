#include "model.h"
#include <assert.h>

Sigma *sigma_new(const char *program, const char *module) {
  Sigma *s = mem_alloc(sizeof *s);
  s->texts = intern_new();
  s->terms = terms_new();
  s->site_of_name = map_new();
  s->program = sigma_intern(s, program);
  s->module = sigma_intern(s, module);
  return s;
}

static void schedule_free(Schedule *c) {
  for (vec_each(i, &c->inputs)) vec_free(&c->inputs.at[i].copy);
  vec_free(&c->argv);
  vec_free(&c->env);
  vec_free(&c->inputs);
  vec_free(&c->frames);
  vec_free(&c->outside);
  vec_free(&c->objects);
  vec_free(&c->events);
  vec_free(&c->standing);
  mem_free(c);
}

void sigma_free(Sigma *s) {
  if (!s) return;
  for (vec_each(i, &s->schedules)) schedule_free(s->schedules.at[i]);
  vec_free(&s->schedules);
  vec_free(&s->atomics);
  vec_free(&s->exclusions);
  vec_free(&s->sites);
  vec_free(&s->accesses);
  intern_free(s->texts);
  terms_free(s->terms);
  map_free(s->site_of_name);
  mem_free(s);
}

const char *sigma_text(const Sigma *s, uint32_t text) {
  assert(text == SIGMA_NONE || text < intern_count(s->texts));
  return text == SIGMA_NONE ? NULL : intern_text(s->texts, text);
}
uint32_t sigma_intern(Sigma *s, const char *text) {
  return intern_id(s->texts, text, strlen(text));
}

uint32_t sigma_site(const Sigma *s, const char *name) {
  uint32_t text = intern_find(s->texts, name, strlen(name));
  return text == INTERN_NONE ? SIGMA_NONE : (uint32_t)map_or(s->site_of_name, text, SIGMA_NONE);
}

uint32_t sigma_add_site(Sigma *s, const char *name, int kind) {
  assert(kind > SYNC_ENTER && kind <= EVENT_CALL && event_count(kind));
  uint32_t there = sigma_site(s, name);
  if (there != SIGMA_NONE) return there;
  assert(s->sites.len < SIGMA_NONE);
  SigmaSite site = {.name = sigma_intern(s, name), .file = SIGMA_NONE, .kind = (uint8_t)kind};
  site.derived = kind == EVENT_CALL;
  map_put(s->site_of_name, site.name, s->sites.len);
  vec_push(&s->sites, site);
  return (uint32_t)s->sites.len - 1;
}

Schedule *sigma_add_schedule(Sigma *s) {
  Schedule *c = mem_alloc(sizeof *c);
  c->because = c->crash_thread = c->at_file = c->occurrences[0] = c->occurrences[1] = SIGMA_NONE;
  c->status = SIGMA_FALSE;
  c->when = term_bool(s->terms, false);
  schedule_add_thread(c);
  vec_push(&s->schedules, c);
  return c;
}

void sigma_drop_schedule(Sigma *s) {
  assert(s->schedules.len);
  schedule_free(vec_pop(&s->schedules));
}

const char *sigma_status_word(SigmaStatus status) {
  static const char *const words[] = {"proved", "exact", "by-hand", "unproved", "false"};
  assert(status <= SIGMA_FALSE);
  return words[status];
}
const char *sigma_origin_word(SigmaOrigin origin) {
  static const char *const words[] = {"recorded", "enumerated", "written"};
  assert(origin <= SIGMA_WRITTEN);
  return words[origin];
}
const char *sigma_order_word(SigmaOrder order) {
  static const char *const words[] = {"hb", "total"};
  assert(order <= SIGMA_TOTAL);
  return words[order];
}

double schedule_share(const Schedule *c) {
  return c->left_out ? (double)c->events.len / ((double)c->events.len + (double)c->left_out) : 1;
}

bool schedule_add_outside(Schedule *c, SigmaOutside o) {
  SigmaOutside *there = NULL;
  for (vec_each(i, &c->outside))
    if (c->outside.at[i].name == o.name) there = &c->outside.at[i];
  if (!there) return vec_push(&c->outside, o), true;
  bool more = o.threads > there->threads || o.places > there->places;
  if (o.threads > there->threads) there->threads = o.threads;
  if (o.places > there->places) there->places = o.places;
  return more;
}

bool schedule_is_witness(const Schedule *c) {
  return c->events.len && vec_last(&c->events).kind == EVENT_ACCESS;
}
bool schedule_stands(const Schedule *c) {
  return c->standing.len != 0;
}
uint32_t schedule_occurrence(const Schedule *c, uint32_t event) {
  assert(event < c->events.len && c->events.at[event].kind == EVENT_ACCESS);
  return c->occurrences[event + 1 == c->events.len];
}

uint32_t schedule_add_thread(Schedule *c) {
  return c->threads++;
}

uint32_t schedule_add_object(Schedule *c, SyncFamily family) {
  assert(family > SYNC_THREAD && family <= SYNC_FUTEX);
  SigmaObject o = {.family = (uint8_t)family, .name = SIGMA_NONE};
  o.number = c->next_number[family]++;
  vec_push(&c->objects, o);
  return (uint32_t)c->objects.len - 1;
}

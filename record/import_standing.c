// Where threads stood when the run was ended: what they were about to do, or, of waits and barriers, what
// they had begun. A run that ended by itself has left its threads there on purpose.
#include <assert.h>
#include "exclude.h"
#include "importer.h"

static const uint8_t kinds[] = {
    [RT_STAND_LOCK] = SYNC_LOCK, [RT_STAND_RDLOCK] = SYNC_RDLOCK,   [RT_STAND_JOIN] = SYNC_JOIN,
    [RT_STAND_WAIT] = SYNC_WAIT, [RT_STAND_BARRIER] = SYNC_BARRIER, [RT_STAND_ACQUIRE] = SYNC_ACQUIRE};

static const Event *last_of(const Importer *k, uint32_t thread) {
  for (size_t i = k->c->events.len; i--;)
    if (k->c->events.at[i].thread == thread) return &k->c->events.at[i];
  return NULL;
}

static bool set_join(Importer *k, const RtStand *s, Event *e) {
  uint64_t other = s->more ? map_or(k->thread_of, s->more - 1, SIGMA_NONE) : SIGMA_NONE;
  if (other == SIGMA_NONE) return false;
  e->other = k->threads.at[other].number;
  return true;
}

// It has arrived, and nothing more.
static bool set_departure(const Importer *k, Event *e) {
  const Event *a = last_of(k, e->thread);
  if (!a || a->kind != e->kind || a->phase != EVENT_ARRIVE || a->outcome != SYNC_OK) return false;
  e->phase = EVENT_DEPART;
  e->site = a->site, e->object = a->object, e->other = a->other;
  return true;
}

static bool set_object(Importer *k, const RtStand *s, Event *e) {
  static const SyncFamily ends = SYNC_SPIN;
  e->object = s->object <= UINT32_MAX ? import_object(k, (uint32_t)s->object) : SIGMA_NONE;
  if (e->object == SIGMA_NONE) return false;
  SyncFamily family = (SyncFamily)k->c->objects.at[e->object].family;
  if (e->kind == SYNC_ACQUIRE) return family == SYNC_SEMAPHORE;
  return e->kind == SYNC_RDLOCK ? family == SYNC_RWLOCK : family >= SYNC_MUTEX && family <= ends;
}

static bool standing_of(Importer *k, const RtStand *s, Event *e) {
  uint64_t thread = s->thread ? map_or(k->thread_of, s->thread - 1, SIGMA_NONE) : SIGMA_NONE;
  if (thread == SIGMA_NONE || !(s->turn & 1) || s->kind >= sizeof kinds || !kinds[s->kind]) return false;
  const ImportThread *t = &k->threads.at[thread];
  if (t->left || !t->entered || t->handlers) return false;
  uint32_t call = stacks_call(k->stacks, t->number);
  uint32_t site = import_site(k, s->site);
  if (site == SIGMA_NONE && call != SIGMA_NONE) site = k->c->events.at[call].site;
  if (site == SIGMA_NONE) return false;
  *e = event_of(t->number, kinds[s->kind], site);
  if (e->kind == SYNC_JOIN) return set_join(k, s, e);
  return e->kind == SYNC_WAIT || e->kind == SYNC_BARRIER ? set_departure(k, e) : set_object(k, s, e);
}

static void insert(Schedule *c, Event e) {
  for (vec_each(i, &c->standing))
    if (c->standing.at[i].thread == e.thread) return;  // the recording is damaged
  vec_push(&c->standing, e);
  for (size_t i = c->standing.len - 1; i && c->standing.at[i - 1].thread > e.thread; --i) {
    c->standing.at[i] = c->standing.at[i - 1];
    c->standing.at[i - 1] = e;
  }
}

void import_standing(Importer *k) {
  RtStand s;
  const Exclude *x = k->o->exclude;
  bool excludes = k->s->exclusions.len || (x && (x->wanted.len || x->most != SIGMA_NONE));
  if (k->stopped || k->ended || !k->whole || !k->c->incomplete || excludes) return;
  for (size_t i = 0; rt_recording_stand(k->r, i, &s); ++i) {
    Event e;
    if (standing_of(k, &s, &e)) insert(k->c, e);
  }
}

// Calls are left out: they are no events of a replay. What they wait for the next event of their thread waits
// for.
#include "table.h"

uint32_t replay_access(const ReplayNames *n, const char *name, bool writes) {
  for (uint32_t i = 0; i < n->access_count; ++i)
    if (n->accesses[i].writes == writes && !strcmp(n->accesses[i].name, name)) return i;
  return UINT32_MAX;
}

// What was cancelled did nothing: the thread is in there, and not come to its next event.
bool replay_is_listed(const Event *e) {
  return e->kind < EVENT_CALL && (e->wake != EVENT_CANCELLED || e->kind == SYNC_WAIT);
}

static int32_t error_of(const Event *e) {
  switch (e->outcome) {
    case SYNC_RAN:
      return RT_REP_RAN;
    case SYNC_SERIAL:
      return RT_REP_SERIAL;
    case SYNC_FAILED:
      return RT_REP_FAILED;
    default:
      return sync_error_of_outcome((SyncOutcome)e->outcome);
  }
}

static uint32_t module_site(const ReplayNames *n, const Sigma *w, uint32_t site) {
  const char *name = site == SIGMA_NONE ? NULL : sigma_text(w, w->sites.at[site].name);
  return name ? sites_find(n->sites, name, strlen(name)) : RT_NO_SITE;
}

static RtReplayEvent listed(const ReplayNames *n, const Order *o, uint32_t event) {
  const Event *e = &order_schedule(o)->events.at[event];
  RtReplayEvent out = {
      .thread = e->thread, .site = module_site(n, order_sigma(o), e->site), .error = error_of(e)};
  out.other = e->kind == SYNC_BARRIER ? order_generation(o, event) : e->kind == SYNC_CREATE ? e->other : 0;
  out.cancelled = e->kind == SYNC_WAIT && e->wake == EVENT_CANCELLED;
  out.kind = e->kind == SYNC_ENTER  ? RT_REP_ENTER
             : e->kind == SYNC_EXIT ? RT_REP_EXIT
             : e->kind == SYNC_ONCE ? RT_REP_ONCE
                                    : RT_REP_OTHER;
  return out;
}

static uint32_t rounds_of(const Order *o) {
  uint32_t rounds = 0;
  for (uint32_t i = 0; i < order_schedule(o)->events.len; ++i) {
    uint32_t g = order_generation(o, i);
    if (g != SIGMA_NONE && g >= rounds) rounds = g + 1;
  }
  return rounds;
}

static void fill_rounds(const Order *o, uint8_t *rounds) {
  for (uint32_t i = 0; i < order_schedule(o)->events.len; ++i) {
    const Event *e = &order_schedule(o)->events.at[i];
    if (e->kind != SYNC_BARRIER || e->phase != EVENT_DEPART || order_generation(o, i) == SIGMA_NONE) continue;
    rounds[order_generation(o, i)] |= RT_ROUND_DEPARTS | (e->outcome == SYNC_SERIAL ? RT_ROUND_SERIAL : 0);
  }
}

// The event of the list that comes before this one or is it: what is listed there has taken place with it.
static uint32_t listed_before(const Order *o, const uint32_t *number, uint32_t event) {
  uint32_t thread = order_schedule(o)->events.at[event].thread, at = order_position(o, event) + 1;
  while (at--) {
    uint32_t e = order_event(o, thread, at);
    if (number[e] != SIGMA_NONE) return number[e];
  }
  return SIGMA_NONE;
}

// What the calls around an event wait for, which are not listed, it waits for too.
static void add_waits(const Order *o, const uint32_t *number, uint32_t event, IdVec *to) {
  const OrderWait *waits;
  for (size_t i = 0, n = order_waits(o, event, &waits); i < n; ++i) {
    uint32_t w = listed_before(o, number, waits[i].event);
    if (w != SIGMA_NONE) vec_push(to, w);
  }
}

typedef struct {
  Vec(RtReplayEvent) events;
  IdVec waits;
} List;

static List list_of(const ReplayNames *n, const Order *o) {
  const Schedule *c = order_schedule(o);
  List l = {0};
  uint32_t *number = mem_array(c->events.len + 1, sizeof *number);
  uint32_t *position = mem_array(c->threads, sizeof *position);
  IdVec *open = mem_array(c->threads, sizeof *open);
  bool total = c->order == SIGMA_TOTAL;
  for (uint32_t i = 0; i < c->events.len; ++i) {
    const Event *e = &c->events.at[i];
    IdVec *mine = &open[e->thread];
    number[i] = replay_is_listed(e) ? (uint32_t)l.events.len : SIGMA_NONE;
    if (!total) add_waits(o, number, i, mine);
    if (!replay_is_listed(e)) continue;
    if (total && number[i] && l.events.at[number[i] - 1].thread != e->thread) vec_push(mine, number[i] - 1);
    RtReplayEvent x = listed(n, o, i);
    x.position = position[e->thread]++;
    x.first_wait = (uint32_t)l.waits.len;
    x.waits = (uint32_t)mine->len;
    vec_append(&l.waits, mine->at, mine->len);
    vec_push(&l.events, x);
    mine->len = 0;
  }
  for (uint32_t t = 0; t < c->threads; ++t) vec_free(&open[t]);
  mem_free(number), mem_free(position), mem_free(open);
  return l;
}

static void fill_events(const List *l, RtReplay *t) {
  uint32_t at = 0;
  if (t->events) memcpy(replay_events(t), l->events.at, t->events * sizeof *l->events.at);
  if (t->waits) memcpy(replay_waits(t), l->waits.at, t->waits * sizeof *l->waits.at);
  for (uint32_t thread = 0; thread < t->threads; ++thread) {
    replay_begins(t)[thread] = at;
    for (uint32_t i = 0; i < t->events; ++i)
      if (l->events.at[i].thread == thread) replay_order(t)[at++] = i;
  }
  replay_begins(t)[t->threads] = at;
}

static void fill_sides(const ReplayNames *n, const Sigma *w, RtReplay *t) {
  const Schedule *c = w->schedules.at[0];
  for (size_t k = 0; k < 2; ++k) {
    const Event *e = &c->events.at[c->events.len - 2 + k];
    const SigmaAccess *a = &w->accesses.at[e->other];
    t->side[k].thread = e->thread;
    t->side[k].access = replay_access(n, sigma_text(w, a->name), a->writes);
  }
}

RtReplay *replay_table(const ReplayNames *n, const Sigma *w, uint32_t schedule, Diags *d) {
  Order *o = order_new(w, schedule, d);
  if (!o) return NULL;
  const Schedule *c = w->schedules.at[schedule];
  List l = list_of(n, o);
  RtReplay *t = mem_alloc(sizeof *t);
  t->version = RT_REPLAY_VERSION;
  t->keep = (uint64_t)LIMIT_EVIDENCE_MEMORY << 20;
  t->events = (uint32_t)l.events.len, t->waits = (uint32_t)l.waits.len;
  t->threads = c->threads, t->sites = sites_count(n->sites), t->rounds = rounds_of(o);
  t = mem_resize(t, replay_size(t));
  memset(t + 1, 0, replay_size(t) - sizeof *t);
  fill_events(&l, t);
  fill_rounds(o, replay_rounds(t));
  for (uint32_t i = 0; i < w->sites.len; ++i) {
    uint32_t site = w->sites.at[i].excluded ? module_site(n, w, i) : RT_NO_SITE;
    if (site < t->sites) replay_ordinary(t)[site] = 1;
  }
  if (schedule_is_witness(c)) fill_sides(n, w, t);
  vec_free(&l.events);
  vec_free(&l.waits);
  order_free(o);
  return t;
}

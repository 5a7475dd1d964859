// Entries of the run (rt/watch.h) are sorted by the bytes that they are about; where two threads touched the
// same ones, the enforced order says whether one came before the other.
#include "evidence.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include "alias/alias.h"
#include "record/record.h"
#include "replayer.h"
#include "run.h"
#include "table.h"

enum { ENTRIES = 1 << 22, CELL = 4096 };  // of a cell, so many entries are compared

struct Evidence {
  size_t count;
  bool *known, *ran;  // by place; it is known if all that it touched is
  Map *pairs;         // of places -> level
  Map *doubtful;      // pairs of places that may have met where nothing was noted
  EvidencePairs all;
  char *cut;
};

typedef struct {
  Program loaded;
  InstrumentAccesses accesses;
  uint32_t *place;  // by access: of the caller, or UINT32_MAX
  const Sigma *s;
  uint32_t schedule;
  Order *order;
  IdVec *listed;  // by thread: its events in the list
  RtReplay *table;
  RtWatch *wish;
  ReplayEnd end;
  Evidence *out;
} Session;

// -- before the run

static void name_places(Session *k, const EvidencePlace *places, size_t count) {
  Intern *names = intern_new();
  for (size_t i = 0; i < count; ++i) {
    char *name = mem_format("%c%s", places[i].writes ? 'w' : 'r', places[i].name);
    uint32_t id = intern_id(names, name, strlen(name));
    assert(id == i);  // each once
    mem_free(name);
  }
  k->place = mem_array(k->accesses.len + 1, sizeof *k->place);
  for (vec_each(i, &k->accesses)) {
    const InstrumentAccess *a = &k->accesses.at[i];
    char *name = mem_format("%c%s", a->writes ? 'w' : 'r', a->name);
    uint32_t id = intern_find(names, name, strlen(name));
    k->place[i] = id == INTERN_NONE ? UINT32_MAX : id;
    if (id != INTERN_NONE) k->out->known[id] = true;
    mem_free(name);
  }
  intern_free(names);
}

static void make_wish(Session *k) {
  RtWatch head = {.accesses = (uint32_t)k->accesses.len,
                  .threads = k->s->schedules.at[k->schedule]->threads,
                  .entries = ENTRIES};
  k->wish = mem_alloc(sizeof head + head.accesses + 8);
  *k->wish = head;
  for (vec_each(i, &k->accesses)) watch_wanted(k->wish)[i] = k->place[i] != UINT32_MAX ? RT_WATCH_WANTED : 0;
}

static void list_events(Session *k) {
  const Schedule *c = k->s->schedules.at[k->schedule];
  k->listed = mem_array(c->threads, sizeof *k->listed);
  for (uint32_t i = 0; i < c->events.len; ++i)
    if (replay_is_listed(&c->events.at[i])) vec_push(&k->listed[c->events.at[i].thread], i);
}

static bool prepare(Session *k, const char *app, const EvidencePlace *places, size_t count, Diags *d) {
  if (!program_open(app, targets_find, &k->loaded, d)) return false;
  const Schedule *c = k->s->schedules.at[k->schedule];
  const char *forbidden = replay_trusted() ? NULL : replay_forbidden(k->s, c, k->loaded.module);
  if (forbidden)
    return diag_note(d, "the recorded value of the environment variable %s may be dangerous to set",
                     forbidden),
           false;
  program_suit(&k->loaded, k->s);
  accesses_all(k->loaded.module, &k->accesses);
  name_places(k, places, count);
  k->order = order_new(k->s, k->schedule, d);
  ReplayNames known = {k->loaded.sites, NULL, 0};
  k->table = k->order ? replay_table(&known, k->s, k->schedule, d) : NULL;
  if (!k->table) return false;
  k->table->mode = RT_REPLAY_WATCH;
  make_wish(k);
  list_events(k);
  return true;
}

// -- behind it

typedef Vec(const RtWatchEntry *) Entries;

static int by_cell(const void *x, const void *y) {
  const RtWatchEntry *a = *(const RtWatchEntry *const *)x, *b = *(const RtWatchEntry *const *)y;
  if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
  if (a->owner != b->owner) return a->owner < b->owner ? -1 : 1;
  if (a->thread != b->thread) return a->thread < b->thread ? -1 : 1;
  return (a->access > b->access) - (a->access < b->access);
}

static void forget_partly(const Session *k) {
  for (vec_each(i, &k->accesses)) {
    bool partly = watch_wanted(k->end.watch)[i] & RT_WATCH_PARTLY;
    if (partly && k->place[i] != UINT32_MAX) k->out->known[k->place[i]] = false;
  }
}

static void collect(const Session *k, Entries *out) {
  RtWatchEntry *all = watch_entries(k->end.watch);
  uint64_t used = k->end.watch->used, most = k->wish->entries;
  for (uint64_t i = 0; i < used && i < most; ++i) {
    const RtWatchEntry *e = &all[i];
    bool whole = e->key && e->access < k->accesses.len && e->thread < k->table->threads && e->samples &&
                 e->samples <= RT_WATCH_SAMPLES && k->place[e->access] != UINT32_MAX;
    if (!whole) continue;
    k->out->ran[k->place[e->access]] = true;
    vec_push(out, e);
  }
  if (out->len > 1) qsort(out->at, out->len, sizeof *out->at, by_cell);
}

// So many events behind it, a thread's segment ends with the next.
static bool ends_before(const Session *k, uint32_t thread, uint32_t position, uint32_t other, uint32_t at) {
  const IdVec *a = &k->listed[thread], *b = &k->listed[other];
  if (position >= a->len || !at || at > b->len) return false;
  uint32_t end = a->at[position], begin = b->at[at - 1];
  return end == begin || order_happens_before(k->order, end, begin);
}

// The first of these stamps that is larger.
static uint64_t next_stamp(const uint64_t *all, uint32_t count, uint64_t than) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (all[middle] <= than)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count ? all[low] : UINT64_MAX;
}

// One thread released something behind its access, and then the other acquired something before its own.
static bool may_be_ordered(const Session *k, uint32_t thread, uint64_t stamp, uint32_t other, uint64_t at) {
  const RtWatchOrders *from = watch_orders(k->end.watch, thread), *to = watch_orders(k->end.watch, other);
  if (from->releases >= RT_WATCH_ORDERS || to->acquires >= RT_WATCH_ORDERS) return true;
  uint64_t released = next_stamp(from->release, from->releases, stamp);
  return released != UINT64_MAX && next_stamp(to->acquire, to->acquires, released) <= at;
}

static FindingSeen compare(const Session *k, const RtWatchEntry *a, const RtWatchEntry *b) {
  FindingSeen best = FINDING_UNWATCHED;  // no common byte
  for (unsigned i = 0; i < a->samples; ++i)
    for (unsigned n = 0; n < b->samples && best != FINDING_UNORDERED; ++n) {
      if (!(a->mask[i] & b->mask[n])) continue;
      if (best == FINDING_UNWATCHED) best = FINDING_NEVER_MET;
      if (ends_before(k, a->thread, a->position[i], b->thread, b->position[n])) continue;
      if (ends_before(k, b->thread, b->position[n], a->thread, a->position[i])) continue;
      bool ordered = may_be_ordered(k, a->thread, a->stamp[i], b->thread, b->stamp[n]) ||
                     may_be_ordered(k, b->thread, b->stamp[n], a->thread, a->stamp[i]);
      best = ordered ? FINDING_ATOMICS : FINDING_UNORDERED;
    }
  return best;
}

static uint64_t key_of(size_t a, size_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static void see_pair(Session *k, const RtWatchEntry *a, const RtWatchEntry *b) {
  if (a->thread == b->thread) return;
  if (!k->accesses.at[a->access].writes && !k->accesses.at[b->access].writes) return;
  uint64_t key = key_of(k->place[a->access], k->place[b->access]), known = map_or(k->out->pairs, key, 0);
  if (known == FINDING_UNORDERED) return;
  FindingSeen level = compare(k, a, b);
  if (a->cut || b->cut) map_put(k->out->doubtful, key, 1);
  if (level <= FINDING_NEVER_MET || level <= known) return;
  if (!known) vec_push(&k->out->all, ((EvidencePair){(uint32_t)(key >> 32), (uint32_t)key, level}));
  map_put(k->out->pairs, key, level);
}

static void see_cell(Session *k, const RtWatchEntry *const *at, size_t n) {
  size_t most = n < CELL ? n : CELL;
  for (size_t i = 0; i < most; ++i)
    for (size_t j = i + 1; j < most; ++j) see_pair(k, at[i], at[j]);
}

static int by_level(const void *x, const void *y) {
  const EvidencePair *a = x, *b = y;
  if (a->level != b->level) return a->level > b->level ? -1 : 1;
  if (a->a != b->a) return a->a < b->a ? -1 : 1;
  return (a->b > b->b) - (a->b < b->b);
}

static void see_all(Session *k) {
  Entries all = {0};
  forget_partly(k);
  collect(k, &all);
  for (size_t i = 0, j; i < all.len; i = j) {
    for (j = i + 1; j < all.len; ++j)
      if (all.at[j]->cell != all.at[i]->cell || all.at[j]->owner != all.at[i]->owner) break;
    see_cell(k, all.at + i, j - i);
  }
  vec_free(&all);
  EvidencePairs *pairs = &k->out->all;
  for (vec_each(i, pairs))
    pairs->at[i].level = (FindingSeen)map_or(k->out->pairs, key_of(pairs->at[i].a, pairs->at[i].b), 0);
  if (pairs->len > 1) qsort(pairs->at, pairs->len, sizeof *pairs->at, by_level);
}

static void tell_cut(Session *k) {
  uint32_t flags = k->end.watch->flags;
  if (k->table->state == RT_REPLAY_DIVERGED)
    k->out->cut = mem_format("the watched run left its schedule after %" PRIu32 " of %" PRIu32 " events",
                             k->table->done, k->table->events);
  else if (k->end.timed_out)
    k->out->cut = mem_string("the watched run was stopped after its time limit");
  else if (flags & RT_WATCH_FULL)
    k->out->cut = mem_string("the watched run touched more memory than can be noted");
  else if (k->table->reused)
    k->out->cut = mem_string("the watched run used more memory than can be kept apart");
}

static void session_end(Session *k) {
  for (uint32_t t = 0; k->listed && t < k->s->schedules.at[k->schedule]->threads; ++t)
    vec_free(&k->listed[t]);
  mem_free(k->listed), mem_free(k->place), mem_free(k->table), mem_free(k->wish);
  accesses_free_all(&k->accesses);
  order_free(k->order);
  replay_end_free(&k->end);
  program_free(&k->loaded);
}

Evidence *evidence_new(const char *app, const Sigma *s, uint32_t schedule, const EvidencePlace *places,
                       size_t count, double seconds, Diags *d) {
  Session k = {.s = s, .schedule = schedule};
  Evidence *e = mem_alloc(sizeof *e);
  e->count = count, e->pairs = map_new(), e->doubtful = map_new(),
  e->ran = mem_array(count + 1, sizeof *e->ran);
  e->known = mem_array(count + 1, sizeof *e->known);
  k.out = e;
  RecorderOptions how = {.watch = true};
  char *binary = prepare(&k, app, places, count, d) ? recorder_cached(&k.loaded, app, &how, d) : NULL;
  if (binary) k.end = replay_once(&(ReplayRun){binary, s, k.table, seconds, schedule, k.wish});
  bool ok = binary && k.end.started && k.end.watch;
  if (ok) see_all(&k), tell_cut(&k);
  if (binary && !k.end.started) diag_note(d, "%s could not be run: %s", binary, strerror(k.end.error));
  session_end(&k);
  mem_free(binary);
  if (ok) return e;
  evidence_free(e);
  return NULL;
}

void evidence_free(Evidence *e) {
  if (!e) return;
  map_free(e->pairs), map_free(e->doubtful);
  vec_free(&e->all);
  mem_free(e->known), mem_free(e->ran), mem_free(e->cut);
  mem_free(e);
}

FindingSeen evidence_of(const Evidence *e, size_t a, size_t b) {
  if (a >= e->count || b >= e->count) return FINDING_UNWATCHED;
  uint64_t met = map_or(e->pairs, key_of(a, b), 0);
  if (met) return (FindingSeen)met;
  if (!e->known[a] || !e->known[b] || e->cut || map_or(e->doubtful, key_of(a, b), 0))
    return FINDING_UNWATCHED;
  return e->ran[a] && e->ran[b] ? FINDING_NEVER_MET : FINDING_NEVER_RAN;
}

const EvidencePairs *evidence_pairs(const Evidence *e) {
  return &e->all;
}
const char *evidence_short(const Evidence *e) {
  return e->cut;
}

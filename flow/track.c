#include "track.h"
#include <assert.h>
#include <stdlib.h>

typedef struct {
  size_t first_track, tracks, first_loose, loose;
} Part;

struct Tracks {
  Vec(Part) parts;  // by object
  TrackVec tracks;
  IdVec loose;
  Vec(uint32_t *) owned;  // what tracks point to
};

// -- the order within a track

typedef struct {
  uint32_t thread, from, to, cycle, place, id;
  bool root;
} Stop;

static uint32_t block_of(const Access *x) {
  return cfg_of(x->function->cfg, x->inst);
}

// Numbers of cycles fall along the ways of the code; inside one, and in a block, any order will do that is
// the same for all. Accesses are numbered as they stand in their block.
static Stop stop_of(const Access *x, uint32_t id) {
  assert(x->regions.len == 1);
  Region r = x->regions.at[0];
  Stop s = {.thread = r.thread, .from = r.from, .to = r.to, .id = id, .root = x->function->root};
  if (!s.root) return s;
  s.cycle = UINT32_MAX - x->function->cycle[block_of(x)];
  s.place = cfg_place(x->function->cfg, block_of(x));
  return s;
}

static int sign(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

static int by_place(const Stop *a, const Stop *b) {
  int c = sign(a->from, b->from);
  if (!c) c = sign(a->cycle, b->cycle);
  if (!c) c = sign(a->place, b->place);
  return c ? c : sign(a->id, b->id);
}

static int by_track(const void *x, const void *y) {
  const Stop *a = x, *b = y;
  int c = sign(a->thread, b->thread);
  if (!c) c = (int)a->root - (int)b->root;
  return c ? c : by_place(a, b);
}

// -- making them

static uint32_t *own(Tracks *t, size_t n) {
  uint32_t *made = mem_array(n + 1, sizeof *made);
  vec_push(&t->owned, made);
  return made;
}

static void add_track(Tracks *t, const Stop *at, size_t n) {
  uint32_t *ids = own(t, n), *last = own(t, n);
  for (size_t i = 0; i < n; ++i) {
    ids[i] = at[i].id;
    last[i] = i && last[i - 1] > at[i].to ? last[i - 1] : at[i].to;
  }
  vec_push(&t->tracks, ((Track){at->thread, at->root, {ids, n}, last}));
}

// Where setjmp may come back to, code has no order.
static bool has_place(const Access *x) {
  return x->regions.len == 1 && !x->function->again;
}

static void add_object(Tracks *t, const Accesses *v, Ids all) {
  Part p = {.first_track = t->tracks.len, .first_loose = t->loose.len};
  Vec(Stop) stops = {0};
  for (vec_each(i, &all)) {
    const Access *x = accesses_at(v, all.at[i]);
    if (i && all.at[i] == all.at[i - 1]) continue;
    if (has_place(x))
      vec_push(&stops, stop_of(x, all.at[i]));
    else if (x->regions.len)
      vec_push(&t->loose, all.at[i]);
  }
  if (stops.len > 1) qsort(stops.at, stops.len, sizeof *stops.at, by_track);
  for (size_t i = 0, k; i < stops.len; i = k) {
    for (k = i + 1; k < stops.len; ++k)
      if (stops.at[k].thread != stops.at[i].thread || stops.at[k].root != stops.at[i].root) break;
    add_track(t, stops.at + i, k - i);
  }
  vec_free(&stops);
  p.tracks = t->tracks.len - p.first_track, p.loose = t->loose.len - p.first_loose;
  vec_push(&t->parts, p);
}

Tracks *tracks_new(const Accesses *v, const Lists *by_object, uint32_t objects) {
  Tracks *t = mem_alloc(sizeof *t);
  for (uint32_t o = 0; o < objects; ++o) add_object(t, v, lists_of(by_object, o));
  return t;
}

void tracks_free(Tracks *t) {
  if (!t) return;
  for (vec_each(i, &t->owned)) mem_free(t->owned.at[i]);
  vec_free(&t->parts), vec_free(&t->tracks), vec_free(&t->loose), vec_free(&t->owned);
  mem_free(t);
}

void tracks_of(const Tracks *t, uint32_t object, const Track **tracks, size_t *count, Ids *loose) {
  assert(object < t->parts.len);
  Part p = t->parts.at[object];
  *tracks = p.tracks ? t->tracks.at + p.first_track : NULL, *count = p.tracks;
  *loose = (Ids){p.loose ? t->loose.at + p.first_loose : NULL, p.loose};
}

// -- asking

static bool is_before(const Code *c, uint32_t thread, uint32_t to, const Regions *r, bool credit) {
  for (vec_each(i, r))
    if (!code_before(c, (Region){thread, to, to}, r->at[i], credit)) return false;
  return true;
}

static bool is_behind(const Code *c, uint32_t thread, uint32_t from, const Regions *r, bool credit) {
  for (vec_each(i, r))
    if (!code_before(c, r->at[i], (Region){thread, from, from}, credit)) return false;
  return true;
}

void track_around(const Track *t, const Accesses *v, const Code *c, const Regions *r, bool credit,
                  size_t *from, size_t *to) {
  size_t low = 0, high = t->accesses.len;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (is_before(c, t->thread, t->last[middle], r, credit))
      low = middle + 1;
    else
      high = middle;
  }
  *from = low;
  high = t->accesses.len;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const Access *x = accesses_at(v, t->accesses.at[middle]);
    if (is_behind(c, t->thread, x->regions.at[0].from, r, credit))
      high = middle;
    else
      low = middle + 1;
  }
  *to = low;
}

size_t track_place(const Track *t, const Accesses *v, const Access *x) {
  assert(t->root && x->function->root && x->regions.len == 1 && x->regions.at[0].thread == t->thread);
  size_t low = 0, high = t->accesses.len, first = 0;
  accesses_by(v, x->inst, &first);
  Stop at = stop_of(x, (uint32_t)first);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    Stop s = stop_of(accesses_at(v, t->accesses.at[middle]), t->accesses.at[middle]);
    if (by_place(&s, &at) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void tracks_check(const Tracks *t, const Accesses *v) {
  for (vec_each(i, &t->tracks)) {
    const Track *k = &t->tracks.at[i];
    for (size_t n = 0; n < k->accesses.len; ++n) {
      Stop s = stop_of(accesses_at(v, k->accesses.at[n]), k->accesses.at[n]);
      assert(s.thread == k->thread && s.root == k->root && s.to <= k->last[n]);
      if (!n) continue;
      Stop before = stop_of(accesses_at(v, k->accesses.at[n - 1]), k->accesses.at[n - 1]);
      assert(by_place(&before, &s) < 0 && k->last[n - 1] <= k->last[n]);
    }
  }
}

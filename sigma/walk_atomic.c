// Atomic operations on a cell of eight bytes. Their order is that of the file: writes one after the other,
// each read between two of them. Which of them publish memory is another question, asked by byte, as C++20
// answers it: a read that acquires, itself or by a fence behind it, comes behind what was published with the
// write that it reads: by that write itself, by a release fence in front of it in its thread, or, where
// exchanges follow on each other, by the writes that they took up. A store that releases nothing ends that,
// even one of the same thread. What no event wrote publishes nothing.
#include <assert.h>
#include "effect.h"
#include "walker.h"

static const Event *event_at(const Walker *k, uint32_t i) {
  return &k->c->events.at[i];
}

// Of each thread the last: it comes behind the others.
static void add_release(const Walker *k, Events *all, uint32_t event) {
  if (event == SIGMA_NONE) return;
  for (vec_each(i, all))
    if (event_at(k, all->at[i])->thread == event_at(k, event)->thread) {
      if (all->at[i] < event) all->at[i] = event;
      return;
    }
  vec_push(all, event);
}

static void add_releases(const Walker *k, Events *all, uint32_t from) {
  if (!from) return;
  for (vec_each(i, &k->releases.at[from])) add_release(k, all, k->releases.at[from].at[i]);
}

static uint32_t keep_releases(Walker *k, Events all) {
  if (!all.len) return vec_free(&all), 0;
  if (!k->releases.len) vec_push(&k->releases, ((Events){0}));
  vec_push(&k->releases, all);
  return (uint32_t)k->releases.len - 1;
}

static Events published(const Walker *k, const CellState *cell, const AtomicEffect *x) {
  Events all = {0};
  for (unsigned b = x->first; b < x->first + x->bytes; ++b)
    if (b == x->first || cell->bytes[b].releases != cell->bytes[b - 1].releases)
      add_releases(k, &all, cell->bytes[b].releases);
  return all;
}

static bool reads_what_was_written(Walker *k, uint32_t i, const CellState *cell, const AtomicEffect *x) {
  for (unsigned b = 0; x->has_was && b < x->bytes; ++b) {
    const ByteState *s = &cell->bytes[x->first + b];
    if (!s->known || s->value == (uint8_t)(x->was >> 8 * b)) continue;
    return wrong(k, i, "byte %u was last written as %u (event %u)", x->first + b, s->value, cell->written);
  }
  return true;
}

// The bytes are what a write without an event made them.
static void begin_anew(CellState *cell, const AtomicEffect *x) {
  for (unsigned b = x->first; b < x->first + x->bytes; ++b) cell->bytes[b] = (ByteState){0};
}

static void learn_bytes(CellState *cell, const AtomicEffect *x, bool has, uint64_t value) {
  for (unsigned b = 0; b < x->bytes; ++b) {
    ByteState *s = &cell->bytes[x->first + b];
    s->known = has;
    s->value = has ? (uint8_t)(value >> 8 * b) : 0;
  }
}

static void acquire(Walker *k, uint32_t i, const CellState *cell, const AtomicEffect *x) {
  Events all = published(k, cell, x);
  if (effect_acquires((MemoryOrder)x->order))
    edges(k, &all, i, true);
  else
    for (vec_each(n, &all)) add_release(k, &k->threads[event_at(k, i)->thread].unfenced, all.at[n]);
  vec_free(&all);
}

static void write(Walker *k, uint32_t i, CellState *cell, const AtomicEffect *x) {
  Events all = {0};
  if (x->kind == EFFECT_UPDATE) all = published(k, cell, x);
  if (effect_releases((MemoryOrder)x->order))
    add_release(k, &all, i);
  else
    add_release(k, &all, k->threads[event_at(k, i)->thread].fence);
  uint32_t releases = keep_releases(k, all);
  for (unsigned b = x->first; b < x->first + x->bytes; ++b) cell->bytes[b].releases = releases;
  learn_bytes(cell, x, x->has_now, x->now);
}

// It writes, or somebody has done so without an event: who read before has to stay before.
static bool changes(const Event *e, const AtomicEffect *x) {
  return x->kind != EFFECT_READ || e->wake == EVENT_ANEW;
}

// The next event of the same thread.
static uint32_t next_of(const Walker *k, uint32_t i) {
  uint32_t t = event_at(k, i)->thread, at = k->w->begin[t] + k->w->position[i] + 1;
  return at < k->w->begin[t + 1] ? k->w->sequence[at] : SIGMA_NONE;
}
static uint32_t before(const Walker *k, uint32_t i) {
  uint32_t t = event_at(k, i)->thread, at = k->w->begin[t] + k->w->position[i];
  return at > k->w->begin[t] ? k->w->sequence[at - 1] : SIGMA_NONE;
}

// A loop that waits for a value begins when what it is to read last has been written: so it reads nothing
// else.
bool await_event(Walker *k, uint32_t i) {
  uint32_t next = next_of(k, i);
  AtomicEffect x;
  bool cut = next == SIGMA_NONE || event_at(k, next)->kind == EVENT_ACCESS;
  if (cut && k->c->incomplete) return true;
  if (next == SIGMA_NONE || event_at(k, next)->kind != SYNC_ATOMIC)
    return wrong(k, i, "the next event of its thread is not the atomic operation that it waits for");
  uint32_t object = event_at(k, next)->object;
  if (k->c->objects.at[object].family != SYNC_CELL) return true;  // which is wrong there
  CellState *cell = &k->objects[object].cell;
  bool known = effect_parse(sigma_text(k->s, event_at(k, next)->other), &x);
  assert(known);
  if (x.kind == EFFECT_WRITE) return wrong(k, i, "its atomic operation (event %u) reads nothing", next);
  edge(k, cell->written, i, false);
  for (vec_each(n, &cell->readers))
    if (changes(event_at(k, next), &x)) edge(k, cell->readers.at[n], i, false);
  return true;
}

// Nothing that matters has happened to the cell since the wait began.
static bool was_awaited(Walker *k, uint32_t i, const CellState *cell, const AtomicEffect *x) {
  uint32_t begun = before(k, i), since = changes(event_at(k, i), x) ? cell->last : cell->written;
  if (begun == SIGMA_NONE || event_at(k, begun)->kind != SYNC_AWAIT) return true;
  if (since == SIGMA_NONE || since < begun) return true;
  return wrong(k, i, "event %u came between this and the beginning of the wait (event %u)", since, begun);
}

bool atomic_event(Walker *k, uint32_t i, CellState *cell) {
  const Event *e = event_at(k, i);
  AtomicEffect x;
  bool known = effect_parse(sigma_text(k->s, e->other), &x);
  assert(known && x.kind != EFFECT_FENCE);
  if (e->wake == EVENT_ANEW) begin_anew(cell, &x);
  if (!was_awaited(k, i, cell, &x) || !reads_what_was_written(k, i, cell, &x)) return false;
  cell->last = i;
  if (x.kind != EFFECT_WRITE) acquire(k, i, cell, &x);
  edge(k, cell->written, i, false);
  if (x.kind != EFFECT_READ)
    write(k, i, cell, &x);
  else if (x.has_was)
    learn_bytes(cell, &x, true, x.was);
  if (changes(e, &x)) {
    edges(k, &cell->readers, i, false);
    cell->written = i;
  } else {
    vec_push(&cell->readers, i);
  }
  return true;
}

bool fence_event(Walker *k, uint32_t i) {
  const Event *e = event_at(k, i);
  ThreadState *t = &k->threads[e->thread];
  AtomicEffect x;
  bool known = effect_parse(sigma_text(k->s, e->other), &x);
  assert(known && x.kind == EFFECT_FENCE);
  if (effect_acquires((MemoryOrder)x.order)) edges(k, &t->unfenced, i, true);
  if (effect_releases((MemoryOrder)x.order)) t->fence = i;
  return true;
}

void atomics_stop(Walker *k) {
  for (vec_each(i, &k->releases)) vec_free(&k->releases.at[i]);
  vec_free(&k->releases);
}

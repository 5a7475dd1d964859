// Back over the accesses of the trace, twice. First each piece of memory learns who touched it: only what the
// slice and several threads touch, and somebody writes, is of interest. Then the accesses to such pieces are
// collected, and looked at forwards, piece by piece.
#include "evidence.h"
#include <assert.h>
#include <stdlib.h>

enum {  // of a piece
  PIECE_KEPT = 1,
  PIECE_SHARED = 2,
  PIECE_WRITTEN = 4,
  PIECE_OWN = 8,  // the program itself touches it, not only models
  PIECE_ALL = 15,
  PIECE_FLAGS = 4,
  LONGEST = 1 << 16  // bytes of one access that are looked at
};

typedef struct {
  TraceAccess access;
  uint64_t piece;
  uint32_t number;   // of its instance
  uint32_t segment;  // how many events its thread had performed
  bool kept;
} Touch;

typedef struct {
  const Slice *s;
  const Examined *of;
  Map *pieces;
  Vec(Touch) touches;
  Vec(Touch) atomics;  // in the order of the run
  EvidenceVec *out;
  Map *known;  // pairs of pcs
} Search;

static uint64_t last_byte(const TraceAccess *a) {
  return a->address + (a->size < LONGEST ? a->size : LONGEST) - 1;
}

static void learn(Search *x, const TraceAccess *a, bool kept) {
  bool own = !runner_model(x->of->runner, x->of->trace->frames.at[a->frame].function);
  for (uint64_t p = a->address / 8; p <= last_byte(a) / 8; ++p) {
    uint64_t was = map_or(x->pieces, p, UINT64_MAX), now;
    uint64_t flags = (kept ? PIECE_KEPT : 0) | (a->writes ? PIECE_WRITTEN : 0) | (own ? PIECE_OWN : 0);
    if (was == UINT64_MAX)
      now = (uint64_t)a->thread << PIECE_FLAGS | flags;
    else
      now = was | flags | (was >> PIECE_FLAGS != a->thread ? (uint64_t)PIECE_SHARED : 0);
    if (now != was) map_put(x->pieces, p, now);
  }
}

static void collect(Search *x, const TraceAccess *a, uint32_t number, bool kept) {
  for (uint64_t p = a->address / 8; p <= last_byte(a) / 8; ++p) {
    if ((map_or(x->pieces, p, 0) & PIECE_ALL) != PIECE_ALL) continue;
    Touch t = {*a, p, number, 0, kept};
    vec_push(&x->touches, t);
  }
  if (a->atomic) {
    Touch t = {*a, a->address / 8, number, 0, kept};
    vec_push(&x->atomics, t);
  }
}

static bool go_back(Search *x, bool first) {
  AccessWalk *w = access_walk_new(x->of->runner, x->of->all);
  TraceAccess a;
  uint64_t looked = 0;
  bool whole = true;
  while (whole && access_walk_next(w, &a)) {
    uint32_t number = instances_number(x->of->all, a.at);
    whole = ++looked < LIMIT_SLICE_EVIDENCE && x->touches.len < LIMIT_SLICE_EVIDENCE / 8;
    if (a.begins) continue;
    if (first)
      learn(x, &a, slice_has(x->s, number));
    else
      collect(x, &a, number, slice_has(x->s, number));
  }
  access_walk_free(w);
  return whole;
}

// How many events its thread had performed in front of each access; they stand last one first.
static void find_segments(Search *x, Touch *touches, size_t count) {
  const RunTrace *t = x->of->trace;
  const Schedule *c = x->of->sigma->schedules.at[x->of->schedule];
  uint32_t *performed = mem_array((size_t)c->threads + 1, sizeof *performed);
  size_t next = 0;
  for (size_t i = count; i-- > 0;) {
    RunInstance at = touches[i].access.at;
    for (; next < t->events.len; ++next) {
      const TraceEvent *e = &t->events.at[next];
      if (e->step > at.step || (e->step == at.step && e->pc >= at.pc && e->pc != TRACE_NONE)) break;
      ++performed[c->events.at[e->event].thread];
    }
    touches[i].segment = performed[touches[i].access.thread];
  }
  mem_free(performed);
}

static int by_piece(const void *a, const void *b) {
  const Touch *x = a, *y = b;
  if (x->piece != y->piece) return x->piece < y->piece ? -1 : 1;
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  return (int)x->access.writes - (int)y->access.writes;  // in one instance it reads first
}

// Whether atomics between the two carry what the first thread had done to the second.
static bool passed_on(const Search *x, const Touch *a, const Touch *b) {
  const Schedule *c = x->of->sigma->schedules.at[x->of->schedule];
  if (!x->atomics.len) return false;
  bool *knows = mem_array((size_t)c->threads + 1, sizeof *knows), found = false;
  Map *carries = map_new();
  knows[a->access.thread] = true;
  for (size_t i = x->atomics.len; i-- > 0 && !found;) {
    const Touch *t = &x->atomics.at[i];
    if (t->number <= a->number || t->number > b->number) continue;
    if (!t->access.writes && map_or(carries, t->piece, 0)) knows[t->access.thread] = true;
    if (t->access.writes && knows[t->access.thread]) map_put(carries, t->piece, 1);
    found = knows[b->access.thread];
  }
  map_free(carries);
  mem_free(knows);
  return found;
}

// a comes before b in the run; whether it had to.
static bool is_ordered(const Search *x, const Touch *a, const Touch *b) {
  const Order *o = x->of->order;
  assert(a->number <= b->number);
  if (a->access.thread == b->access.thread) return true;
  if (a->segment < order_count(o, a->access.thread) && b->segment) {
    uint32_t behind = order_event(o, a->access.thread, a->segment);
    uint32_t before = order_event(o, b->access.thread, b->segment - 1);
    if (order_happens_before(o, behind, before)) return true;
  }
  return passed_on(x, a, b);
}

static bool overlap(const Touch *a, const Touch *b) {
  return a->access.address < b->access.address + b->access.size &&
         b->access.address < a->access.address + a->access.size;
}

static bool is_race(const Touch *a, const Touch *b) {
  return a->access.thread != b->access.thread && overlap(a, b) && !(a->access.atomic && b->access.atomic);
}

static void tell(Search *x, EvidenceKind kind, const Touch *read, const Touch *write, const Touch *other,
                 bool kept) {
  uint64_t key = ((uint64_t)kind << 60) ^ ((uint64_t)write->access.at.pc << 30) ^
                 (kind == EVIDENCE_LOST ? other : read)->access.at.pc;
  Evidence e = {kind, read->access, write->access, other ? other->access : write->access, kept};
  uint64_t known = map_or(x->known, key, 0);
  if (!known) {
    vec_push(&x->out[0], e);
    map_put(x->known, key, x->out->len);
    return;
  }
  Evidence *was = &x->out->at[known - 1];
  if (kept >= was->kept) *was = e;  // the one nearest to the target
}

// At a write: what its thread read before, and whether another wrote since. A write that the slice has no use
// for may have been replaced in turn: the word is one of the slice all the same.
static void look_for_lost(Search *x, const Touch *group, size_t at) {
  const Touch *w = &group[at], *read = NULL;
  for (size_t i = at; i-- > 0;) {
    if (group[i].access.thread != w->access.thread || !overlap(&group[i], w)) continue;
    if (!group[i].access.writes) read = &group[i];
    break;
  }
  if (!read) return;
  for (const Touch *o = read + 1; o < w; ++o) {
    if (!o->access.writes || !is_race(o, w)) continue;
    if (is_ordered(x, read, o) && is_ordered(x, o, w)) continue;
    tell(x, EVIDENCE_LOST, read, w, o, w->kept);
  }
}

// A loop that waits for the write by reading until it is there.
static bool is_polled(const Touch *group, size_t read, size_t write, size_t len) {
  const Touch *r = &group[read];
  for (size_t i = write + 1; i < len && r->access.is_volatile; ++i)
    if (group[i].access.thread == r->access.thread && group[i].access.at.pc == r->access.at.pc) return true;
  return false;
}

static void look_at_read(Search *x, const Touch *group, size_t at, size_t len) {
  const Touch *r = &group[at];
  for (size_t i = at; i-- > 0;) {
    if (!group[i].access.writes || !overlap(&group[i], r)) continue;
    if (is_race(&group[i], r) && !is_ordered(x, &group[i], r))
      tell(x, EVIDENCE_UNORDERED, r, &group[i], NULL, true);
    break;
  }
  for (size_t i = at + 1; i < len; ++i) {
    if (!group[i].access.writes || !overlap(&group[i], r)) continue;
    if (is_race(r, &group[i]) && !is_ordered(x, r, &group[i]) && !is_polled(group, at, i, len))
      tell(x, EVIDENCE_LATE, r, &group[i], NULL, true);
    break;
  }
}

static int by_strength(const void *a, const void *b) {
  const Evidence *x = a, *y = b;
  if (x->kept != y->kept) return x->kept ? -1 : 1;
  bool lost_x = x->kind == EVIDENCE_LOST, lost_y = y->kind == EVIDENCE_LOST;
  if (lost_x != lost_y) return lost_x ? -1 : 1;
  RunInstance p = x->kind == EVIDENCE_LOST ? x->write.at : x->read.at;
  RunInstance q = y->kind == EVIDENCE_LOST ? y->write.at : y->read.at;
  if (p.step != q.step) return p.step > q.step ? -1 : 1;
  return p.pc != q.pc ? (p.pc > q.pc ? -1 : 1) : (int)x->kind - (int)y->kind;
}

static void look_at_pieces(Search *x) {
  for (size_t i = 0, end; i < x->touches.len; i = end) {
    for (end = i; end < x->touches.len && x->touches.at[end].piece == x->touches.at[i].piece;) ++end;
    for (size_t n = i; n < end; ++n) {
      const Touch *t = &x->touches.at[n];
      if (t->access.writes)
        look_for_lost(x, &x->touches.at[i], n - i);
      else if (t->kept)
        look_at_read(x, &x->touches.at[i], n - i, end - i);
    }
  }
}

void evidence_find(const Slice *s, EvidenceVec *out, bool *all) {
  Search x = {.s = s, .of = s->of, .out = out, .pieces = map_new(), .known = map_new()};
  *all = go_back(&x, true);
  *all = go_back(&x, false) && *all;
  find_segments(&x, x.touches.at, x.touches.len);
  if (x.touches.len) qsort(x.touches.at, x.touches.len, sizeof *x.touches.at, by_piece);
  if (!*all) limit_reached(LIMIT_OF_SLICE_EVIDENCE);
  look_at_pieces(&x);
  if (out->len) qsort(out->at, out->len, sizeof *out->at, by_strength);
  vec_free(&x.touches), vec_free(&x.atomics);
  map_free(x.pieces), map_free(x.known);
}

void evidence_locks(const Examined *of, RunInstance at, HeldLocks *out) {
  const Schedule *c = of->sigma->schedules.at[of->schedule];
  Holders *h = held_new(c);
  for (vec_each(i, &of->trace->events)) {
    const TraceEvent *e = &of->trace->events.at[i];
    if (e->step > at.step || (e->step == at.step && e->pc > at.pc)) break;
    held_pass(h, e->event);
  }
  const HeldLocks *held = held_by(h, instances_thread(of->all, at.step));
  vec_append(out, held->at, held->len);
  held_free(h);
}

// Where what two threads touched is the same memory: compared with looking at every byte.
#undef NDEBUG
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "replay/replay.h"
#include "sim.h"

enum { MEMORY = 400, FIRST = 1000 };

static uint64_t address(const RtReplayTouch *t, uint64_t i) {
  return t->address + (uint64_t)t->stride * i;
}

static RtReplayTouch touch(uint64_t *state, uint64_t occurrence) {
  RtReplayTouch t = {
      .size = 1 + sim_below(state, 9), .count = 1 + sim_below(state, 12), .occurrence = occurrence};
  if (t.count > 1) t.stride = (int64_t)sim_below(state, 31) - 15;
  t.address = FIRST + 200 + sim_below(state, MEMORY);
  t.acquires = sim_below(state, 2), t.releases = sim_below(state, 2);
  return t;
}

static void fill(RtReplaySide *s, uint64_t *state) {
  uint64_t occurrence = 0;
  s->touches = 1 + sim_below(state, 3);
  s->releases = 1;
  s->flags = RT_SIDE_BEGUN | RT_SIDE_ENDED;
  for (uint32_t i = 0; i < s->touches; ++i) {
    s->touch[i] = touch(state, occurrence);
    occurrence += s->touch[i].count;
  }
}

static bool overlap(const RtReplayTouch *a, uint64_t i, const RtReplayTouch *b, uint64_t j) {
  return address(a, i) < address(b, j) + b->size && address(b, j) < address(a, i) + a->size;
}

static const RtReplayTouch *of(const RtReplaySide *s, uint64_t occurrence, uint64_t *i) {
  for (uint32_t k = 0; k < s->touches; ++k) {
    *i = occurrence - s->touch[k].occurrence;
    if (occurrence >= s->touch[k].occurrence && *i < s->touch[k].count) return &s->touch[k];
  }
  return NULL;
}

static bool ordered(const RtReplay *r, const RtReplayTouch *a, const RtReplayTouch *b) {
  bool a_first = r->side[0].releases > a->releases && b->acquires;
  bool b_first = r->side[1].releases > b->releases && a->acquires;
  return (a_first && !(r->side[0].flags & RT_SIDE_AFTER)) || (b_first && !(r->side[1].flags & RT_SIDE_AFTER));
}

static void look(const RtReplay *r) {
  bool any = false, free_of_order = false;
  const RtReplaySide *x = &r->side[0], *y = &r->side[1];
  for (uint32_t m = 0; m < x->touches; ++m)
    for (uint32_t n = 0; n < y->touches; ++n)
      for (uint64_t i = 0; i < x->touch[m].count; ++i)
        for (uint64_t j = 0; j < y->touch[n].count; ++j) {
          if (!overlap(&x->touch[m], i, &y->touch[n], j)) continue;
          any = true;
          free_of_order |= !ordered(r, &x->touch[m], &y->touch[n]);
        }
  ReplayMatch got;
  bool found = replay_match(r, &got);
  assert(found == any && !got.cut);
  if (!found) return;
  uint64_t i, j;
  const RtReplayTouch *a = of(x, got.occurrence[0], &i), *b = of(y, got.occurrence[1], &j);
  assert(a && b && overlap(a, i, b, j) && got.low < got.high);
  assert(got.low >= address(a, i) && got.high <= address(a, i) + a->size);
  assert(got.low >= address(b, j) && got.high <= address(b, j) + b->size);
  assert(got.ordered == ordered(r, a, b) && got.ordered == !free_of_order);
}

int main(void) {
  uint64_t state = 3;
  RtReplay *r = mem_alloc(sizeof *r);
  for (int i = 0; i < 20000; ++i) {
    fill(&r->side[0], &state);
    fill(&r->side[1], &state);
    if (sim_below(&state, 2)) r->side[sim_below(&state, 2)].flags |= RT_SIDE_AFTER;
    look(r);
  }
  // Too many to compare, none of which is the same: that is said.
  r->side[0].touches = r->side[1].touches = 1;
  r->side[0].touch[0] = (RtReplayTouch){.address = FIRST, .size = 1, .stride = 4, .count = 1 << 22};
  r->side[1].touch[0] = (RtReplayTouch){.address = FIRST + 2, .size = 1, .stride = 4, .count = 1 << 22};
  ReplayMatch got;
  assert(!replay_match(r, &got) && got.cut);
  mem_free(r);
  return 0;
}

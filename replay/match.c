#include "match.h"
#include "core/core.h"

static uint64_t low_of(const RtReplayTouch *t) {
  return t->stride < 0 ? t->address + (uint64_t)t->stride * (t->count - 1) : t->address;
}
static uint64_t high_of(const RtReplayTouch *t) {
  return (t->stride > 0 ? t->address + (uint64_t)t->stride * (t->count - 1) : t->address) + t->size;
}

static uint64_t at(const RtReplayTouch *t, uint64_t i) {
  return t->address + (uint64_t)t->stride * i;
}

// The number in t of one that touches [from, from + size).
static bool find(const RtReplayTouch *t, uint64_t from, uint64_t size, uint64_t *number) {
  uint64_t low = low_of(t), step = t->stride < 0 ? (uint64_t)-t->stride : (uint64_t)t->stride;
  if (from + size <= low || from >= high_of(t)) return false;
  // The first, upwards, that ends behind `from`.
  uint64_t up = !step || low + t->size > from ? 0 : (from - low - t->size) / step + 1;
  if (up >= t->count || low + up * step >= from + size) return false;
  *number = t->stride < 0 ? t->count - 1 - up : up;
  return true;
}

// From the first of a that comes to where b is, up or down.
static bool meet(const RtReplayTouch *a, const RtReplayTouch *b, ReplayMatch *out) {
  uint64_t i, j, steps = 0;
  if (!find(a, low_of(b), high_of(b) - low_of(b), &i)) return false;
  uint64_t most = a->stride ? a->count : 1, step = a->stride < 0 ? UINT64_MAX : 1;
  for (; i < a->count && steps < most && at(a, i) < high_of(b); i += step, ++steps) {
    if (steps == LIMIT_REPLAY_STEPS) return out->cut = true, false;
    if (!find(b, at(a, i), a->size, &j)) continue;
    uint64_t a_end = at(a, i) + a->size, b_end = at(b, j) + b->size;
    out->low = at(a, i) > at(b, j) ? at(a, i) : at(b, j);
    out->high = a_end < b_end ? a_end : b_end;
    out->occurrence[0] = a->occurrence + i;
    out->occurrence[1] = b->occurrence + j;
    return true;
  }
  return false;
}

static bool is_ordered(const RtReplay *table, const RtReplayTouch *touch[2]) {
  for (int i = 0; i < 2; ++i)  // side i may come before the other
    if (!(table->side[i].flags & RT_SIDE_AFTER) && table->side[i].releases > touch[i]->releases &&
        touch[!i]->acquires > 0)
      return true;
  return false;
}

bool replay_match(const RtReplay *table, ReplayMatch *out) {
  const RtReplaySide *a = &table->side[0], *b = &table->side[1];
  bool found = false, cut = false;
  uint32_t most_a = a->touches < RT_REPLAY_TOUCHES ? a->touches : RT_REPLAY_TOUCHES;
  uint32_t most_b = b->touches < RT_REPLAY_TOUCHES ? b->touches : RT_REPLAY_TOUCHES;
  for (uint32_t i = 0; i < most_a; ++i)
    for (uint32_t j = 0; j < most_b; ++j) {
      ReplayMatch m = {.cut = false};
      const RtReplayTouch *touch[2] = {&a->touch[i], &b->touch[j]};
      if (low_of(touch[0]) >= high_of(touch[1]) || low_of(touch[1]) >= high_of(touch[0])) continue;
      bool met = meet(touch[0], touch[1], &m);
      cut |= m.cut;
      if (!met) continue;
      m.ordered = is_ordered(table, touch);
      if (!found || !m.ordered) *out = m;
      found = true;
      if (!m.ordered) return true;
    }
  if (!found) *out = (ReplayMatch){.cut = cut};
  return found;
}

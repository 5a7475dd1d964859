#include "stands.h"
#include "sigma/sigma.h"

enum { LOOKS = 3 };

static bool has(const RtReplay *t, uint32_t slot, const RtStand *s) {
  const RtStandHeld *h = &t->held[slot];
  for (uint32_t i = 0; i < h->count && i < RT_STAND_HOLDS; ++i)
    if (h->at[i].object == s->object && held_conflict(h->at[i].shared, s->kind == RT_STAND_RDLOCK))
      return true;
  return false;
}

static bool is_kept(const RtReplay *t, const RtStand *s, const bool *in) {
  for (uint32_t i = 0; i < RT_STANDS; ++i) {
    if (!in[i]) continue;
    if (s->kind == RT_STAND_JOIN ? t->stand[i].self == s->object : has(t, i, s)) return true;
  }
  return false;
}

size_t stands_ring(const RtReplay *t, bool in[RT_STANDS]) {
  size_t count = 0;
  for (uint32_t i = 0; i < RT_STANDS; ++i) {
    const RtStand *s = &t->stand[i];
    bool owned = s->kind == RT_STAND_LOCK || s->kind == RT_STAND_RDLOCK || s->kind == RT_STAND_JOIN;
    in[i] = stand_waits(s) && owned;
    count += in[i];
  }
  for (bool again = true; again && count;) {
    again = false;
    for (uint32_t i = 0; i < RT_STANDS; ++i)
      if (in[i] && !is_kept(t, &t->stand[i], in)) in[i] = false, again = true, --count;
  }
  return count;
}

static uint64_t shape_of(const RtReplay *t) {
  bool in[RT_STANDS];
  uint64_t h = stands_ring(t, in);
  for (uint32_t i = 0; h && i < RT_STANDS; ++i)
    if (in[i]) h = (h ^ ((uint64_t)i << 32 | t->stand[i].turn)) * UINT64_C(1099511628211);
  return h;
}

bool stands_seen(const RtReplay *t, pid_t pid, StandsLook *look) {
  uint64_t now = shape_of(t);
  look->times = now && now == look->seen ? look->times + 1 : 0;
  look->seen = now;
  bool over = t->done >= t->events;
  return look->times >= LOOKS || (over && rt_stand_all(t->stand, RT_STANDS, pid, &look->all));
}

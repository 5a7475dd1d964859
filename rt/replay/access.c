// The two accesses: logged while probing, held together when it counts. At most one of them is held at a
// time; the other comes by, and either touches the same bytes or goes on.
#include <malloc.h>
#include <string.h>
#include <time.h>
#include "rep.h"

enum { LOOK = 20, HEADSTART = 20, PATIENCE = 1000 };  // milliseconds

static void nap(long milliseconds) {
  int saved = errno;
  nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL);
  errno = saved;
}

static void lock_sides(void) {
  while (atomic_exchange_explicit(&rep->lock, 1, memory_order_acquire)) sched_yield();
}
static void unlock_sides(void) {
  atomic_store_explicit(&rep->lock, 0, memory_order_release);
}

static uint32_t flags(const RtReplaySide *s) {
  return atomic_load(&s->flags);
}
static RtReplaySide *other_of(const RtReplaySide *s) {
  return s == &rep_table->side[0] ? &rep_table->side[1] : &rep_table->side[0];
}
static bool goes_first(const RtReplaySide *s) {
  return s == &rep_table->side[rep_table->first & 1];
}

HIDDEN void rep_segments_over(void) {
  bool over = flags(&rep_table->side[0]) & flags(&rep_table->side[1]) & RT_SIDE_ENDED;
  uint32_t runs = RT_REPLAY_RUNS;
  if (!over || rep_table->mode == RT_REPLAY_PLAIN) return;
  if (rep_table->mode != RT_REPLAY_APART) rep_over(RT_REPLAY_ENDED);
  if (atomic_compare_exchange_strong(&rep_table->state, &runs, RT_REPLAY_ENDED)) rep_free();
}

// One after the other, so that the first neither sees nor disturbs what the second does; but not for ever: it
// may wait for that.
HIDDEN void rep_segment(RepThread *t) {
  if (!t->side) return;
  t->acquires = t->releases = 0;
  atomic_fetch_or(&t->side->flags, RT_SIDE_BEGUN);
  bool apart = rep_table->mode == RT_REPLAY_PROBE || rep_table->mode == RT_REPLAY_APART;
  if (!apart || goes_first(t->side)) return;
  RtReplaySide *other = other_of(t->side);
  for (uint32_t ms = 0; ms < rep_table->patient && !(flags(other) & RT_SIDE_ENDED); ++ms) nap(1);
  if (flags(other) & RT_SIDE_ENDED) atomic_fetch_or(&t->side->flags, RT_SIDE_AFTER);
}

HIDDEN void rep_segment_end(RepThread *t) {
  if (!t->side || rep_table->mode >= RT_REPLAY_PLAIN) return;
  t->side->releases = t->releases;
  atomic_fetch_or(&t->side->flags, RT_SIDE_ENDED);
}

// The same again, a stride further.
static bool repeats(RtReplayTouch *l, const RtReplayTouch *n) {
  if (l->size != n->size || l->acquires != n->acquires || l->releases != n->releases) return false;
  int64_t step = (int64_t)(n->address - l->address);
  if (l->count == 1) l->stride = step;
  if (n->address != l->address + (uint64_t)l->stride * l->count) return false;
  ++l->count;
  return true;
}

static void put_touch(RepThread *t, uint64_t address, uint64_t size) {
  RtReplaySide *s = t->side;
  RtReplayTouch n = {address, size, 0, 1, s->executed, t->acquires, t->releases};
  ++s->executed;
  if (s->touches && repeats(&s->touch[s->touches - 1], &n)) return;
  if (s->touches == RT_REPLAY_TOUCHES)
    atomic_fetch_or(&s->flags, RT_SIDE_MORE);
  else
    s->touch[s->touches++] = n;
}

static bool overlaps(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

static bool is_wanted(const RtReplaySide *s, uint64_t occurrence) {
  if (s->occurrence != UINT64_MAX) return s->occurrence == occurrence;
  return overlaps(s->address, s->size, s->low, s->high - s->low);
}

// What another thread may be writing.
__attribute__((no_sanitize("thread"), no_sanitize("address"))) static void peek(void *to, uint64_t from,
                                                                                uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) ((char *)to)[i] = ((const volatile char *)(uintptr_t)from)[i];
}

// Where both touch.
static uint64_t value_there(uint64_t *bytes) {
  const RtReplaySide *a = &rep_table->side[0], *b = &rep_table->side[1];
  uint64_t from = a->address > b->address ? a->address : b->address, value = 0;
  uint64_t a_end = a->address + a->size, b_end = b->address + b->size, to = a_end < b_end ? a_end : b_end;
  *bytes = to - from < sizeof value ? to - from : sizeof value;
  peek(&value, from, *bytes);
  return value;
}

// Both are about to touch the same bytes. One goes ahead; the other follows when it can be seen what that
// did, or when that must have been long ago.
static void meet(RtReplaySide *mine) {
  RtReplaySide *first = &rep_table->side[rep_table->first & 1];
  uint64_t bytes;
  if (mine == first) {
    atomic_store(&rep->gone, 1);
    return;
  }
  for (int i = 0; i < PATIENCE && !atomic_load(&rep->gone); ++i) nap(1);
  for (int i = 0; i < HEADSTART && (first->after = value_there(&bytes)) == first->before; ++i) nap(1);
}

// One that waits for a lock that the held one has will not come.
static bool is_locked_out(const RepThread *t, const RtReplaySide *other) {
  uintptr_t lock = atomic_load(&rep->thread[other->thread].waits_for);
  for (uint32_t i = 0; lock && i < t->holds && i < REP_HELD; ++i)
    if (t->held[i] == lock) return rep_table->lock = lock, true;
  return false;
}

static bool has_met(void) {
  return atomic_load(&rep_table->state) == RT_REPLAY_MET;
}

static void hold(RepThread *t) {
  RtReplaySide *mine = t->side, *other = other_of(mine);
  while (!has_met() && atomic_load(&rep->on)) {
    uint32_t seen = atomic_load(&t->park);
    if (flags(other) & RT_SIDE_ENDED) break;
    if (is_locked_out(t, other)) rep_over(RT_REPLAY_LOCKED);
    if (!has_met()) rep_pause(&t->park, seen, LOOK);
  }
  lock_sides();
  atomic_fetch_and(&mine->flags, ~(uint32_t)RT_SIDE_HELD);
  bool met = has_met();
  unlock_sides();
  if (met) meet(mine);
}

static void come(RepThread *t, uint64_t occurrence, uint64_t address, uint64_t size) {
  RtReplaySide *mine = t->side, *other = other_of(mine);
  lock_sides();
  mine->address = address;
  mine->size = size;
  bool there = flags(other) & RT_SIDE_HELD;
  bool meets = there && overlaps(address, size, other->address, other->size);
  bool holds = !there && !(flags(other) & RT_SIDE_ENDED) && is_wanted(mine, occurrence);
  if (holds) atomic_fetch_or(&mine->flags, RT_SIDE_HELD);
  if (meets) {
    uint64_t bytes;
    rep_table->side[rep_table->first & 1].before = value_there(&bytes);
    atomic_store(&rep_table->state, RT_REPLAY_MET);
  }
  unlock_sides();
  if (meets) {
    rep_free();
    meet(mine);
  } else if (holds) {
    hold(t);
  }
}

static uint64_t size_of(const void *address, uint64_t size) {
  if (size == RT_TOUCH_TEXT) return address ? strlen(address) + 1 : 0;
  if (size == RT_TOUCH_HEAP) return malloc_usable_size((void *)(uintptr_t)address);
  return size;
}

void rt_rep_access(uint32_t access, const void *address, uint64_t size) {
  RepThread *t = rep_me();
  if (t && rep_table->mode == RT_REPLAY_WATCH) {
    size = size_of(address, size);
    if (size) rep_watch_access(t, access, (uintptr_t)address, size);
    return;
  }
  if (!t || !t->side || t->side->access != access) return;
  if ((flags(t->side) & (RT_SIDE_BEGUN | RT_SIDE_ENDED)) != RT_SIDE_BEGUN) return;
  size = size_of(address, size);
  if (!size) return;
  uint64_t occurrence = t->side->executed;
  put_touch(t, (uintptr_t)address, size);
  if (rep_table->mode == RT_REPLAY_HOLD) come(t, occurrence, (uintptr_t)address, size);
}

void rt_rep_orders(uint32_t how) {
  RepThread *t = rep_me();
  if (!t) return;
  if (rep_table->mode == RT_REPLAY_WATCH) rep_watch_orders(t, how);
  t->acquires += how & 1;
  t->releases += how >> 1 & 1;
}

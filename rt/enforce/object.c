// Which object of the schedule is where. The first event of one binds its address; later ones compare. Two
// objects of one kind may have one address only one after the other: when the second is bound, all threads
// have published their last events on the first.
#include "enf.h"

typedef struct {
  uintptr_t address;
  uint32_t object;  // the last one there
  uint8_t family;
} Place;

static struct {
  Place *at;
  size_t mask;
  _Atomic uint32_t lock;
} places;

HIDDEN bool enf_objects_make(const RtSchedule *s) {
  size_t size = 16;
  while (size < (size_t)s->objects * 2) size *= 2;
  places.at = enf_memory(size * sizeof *places.at);
  places.mask = size - 1;
  return places.at;
}

static Place *place_of(uintptr_t address, uint8_t family) {
  size_t i = (address >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> 20;
  for (;; ++i) {
    Place *p = &places.at[i & places.mask];
    if (!p->address || (p->address == address && p->family == family)) return p;
  }
}

static bool has_ended(const RtLife *life) {
  for (uint32_t i = 0; i < life->lasts; ++i)
    if (!rt_passed(life->last[i])) return false;
  return true;
}

// The object that still is there, this one if it was bound meanwhile; RT_NONE32: none, and it is bound now.
static uint32_t bind_first(uint32_t object, const void *address) {
  const RtLife *lives = enf.schedule->object;
  while (atomic_exchange_explicit(&places.lock, 1, memory_order_acquire)) sched_yield();
  Place *p = place_of((uintptr_t)address, lives[object].family);
  uint32_t other = RT_NONE32;
  if (atomic_load(&rt_enf_objects[object])) {
    other = object;
  } else if (p->address && !has_ended(&lives[p->object])) {
    other = p->object;
  } else {
    *p = (Place){(uintptr_t)address, object, lives[object].family};
    atomic_store(&rt_enf_objects[object], address);
  }
  atomic_store_explicit(&places.lock, 0, memory_order_release);
  return other;
}

static bool amount_fits(uint32_t object, const void *address) {
  const RtLife *life = &enf.schedule->object[object];
  return life->family != RT_BARRIER || enf_barrier_count(address, life->amount) == life->amount;
}

HIDDEN bool enf_bind(const RtNode *n, uint32_t object, const void *address) {
  const void *bound = atomic_load_explicit(&rt_enf_objects[object], memory_order_relaxed);
  if (bound == address || RT_MUTANT(ANY_OBJECT)) return true;
  uint32_t other = RT_NONE32;
  if (!bound) {
    other = bind_first(object, address);
    if (other == object) bound = atomic_load(&rt_enf_objects[object]);
    if (other == RT_NONE32 || bound == address) {
      if (amount_fits(object, address)) return true;
      enf_seen(n, "a barrier for a different number of threads");
      return false;
    }
  }
  enf_wrong_object(n, object, address, other);
  return false;
}

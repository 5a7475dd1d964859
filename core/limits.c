#include "limits.h"
#include <assert.h>
#include <stdatomic.h>

const Limit limits[LIMITS] = {
#define LIMIT(id, name, value, unit, set, effect) {name, value, unit, set, effect},
#include "limits.def"
};

static _Atomic uint64_t reached[LIMITS];

void limit_reached(LimitId id) {
  assert(id < LIMITS);
  atomic_fetch_add_explicit(&reached[id], 1, memory_order_relaxed);
}

uint64_t limit_count(LimitId id) {
  assert(id < LIMITS);
  return atomic_load_explicit(&reached[id], memory_order_relaxed);
}

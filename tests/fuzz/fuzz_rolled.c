// The bytes of a rolled schedule: whatever they are, the reader stays in them, and says only what the tables
// have.
#undef NDEBUG
#include <assert.h>
#include <stdlib.h>
#include "fuzz.h"
#include "core/core.h"
#include "rt/rt.h"

enum { MOST = 1 << 16, EVENTS = 1 << 16, TABLES = 1 << 12 };

static void read_thread(const RtRolled *r, uint32_t thread) {
  RolledReader x = {0};
  RolledEvent e;
  RtWait *wait = mem_array(r->most + 1, sizeof *wait);
  rolled_begin(&x, r, thread);
  x.guess.follows = mem_array(r->contexts + 1, sizeof *x.guess.follows);
  x.guess.needs = mem_array(r->threads + 1, sizeof *x.guess.needs);
  for (int i = 0; i < EVENTS && rolled_next(&x, r, &e, wait); ++i) {
    uint32_t shape = rolled_contexts(r)[e.context].shape;
    assert(e.context < r->contexts && e.waits <= r->most);
    assert(e.object == RT_NONE32 || e.object < (shape == RT_ROLLED_THREAD ? r->threads : r->objects));
    assert(e.mutex == RT_NONE32 || e.mutex < r->objects);
    assert(e.waker == RT_NONE32 || e.waker < r->threads);
    for (uint32_t k = 0; k < e.waits; ++k) assert(wait[k].thread < r->threads);
  }
  mem_free(wait), mem_free(x.guess.follows), mem_free(x.guess.needs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < sizeof(RtRolled) || size > MOST) return 0;
  RtRolled *r = malloc(size);
  memcpy(r, data, size);
  r->size = size;  // which need not be found by chance
  if (rolled_whole(r, size) && r->contexts < TABLES)
    for (uint32_t t = 0; t < r->threads && t < 64; ++t) read_thread(r, t);
  free(r);
  return 0;
}

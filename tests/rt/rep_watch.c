// What a watched run notes, by one thread and by many at once, compared with what they did.
#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "rt/replay/rep.h"
#include "rt/watch/watched.h"

enum { ACCESSES = 64, THREADS = 8, CELLS = 512, STEPS = 40000 };
uint8_t rt_rep_wanted[ACCESSES];
const uint32_t rt_rep_accesses = ACCESSES;
extern uint8_t rt_rep_wanted[];
extern const uint32_t rt_rep_accesses;

static const uint64_t base = UINT64_C(0x10000000);  // addresses are only numbers here

static void begin(uint64_t entries) {
  RtWatch head = {.accesses = ACCESSES, .threads = THREADS, .entries = entries};
  rep_table = calloc(1, sizeof *rep_table);
  rep = calloc(1, sizeof *rep + THREADS * sizeof *rep->thread);
  rep_watch = mmap(NULL, watch_size(&head), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(rep_table && rep && rep_watch != MAP_FAILED);
  memcpy(rep_watch, &head, sizeof head);
  rep_table->threads = THREADS;
  for (uint32_t i = 0; i < THREADS; ++i) rep->thread[i].id = i;
}

static void end(void) {
  munmap(rep_watch, watch_size(rep_watch));
  free(rep_table), free(rep);
  rep_watch = NULL;
}

static const RtWatchEntry *find(uint32_t access, uint32_t thread, uint64_t cell) {
  const RtWatchEntry *found = NULL;
  for (uint64_t i = 0; i < rep_watch->used; ++i) {
    const RtWatchEntry *e = &watch_entries(rep_watch)[i];
    if (e->access != access || e->thread != thread || e->cell != cell) continue;
    assert(!found);  // one is enough
    found = e;
  }
  return found;
}

static void test_cells(void) {
  begin(1024);
  RepThread *t = &rep->thread[1];
  rep_watch_access(t, 3, base + 6, 4);  // the end of one cell, the beginning of the next
  const RtWatchEntry *e = find(3, 1, base / 8), *next = find(3, 1, base / 8 + 1);
  assert(e && next && e->mask[0] == 0xc0 && next->mask[0] == 0x03 && e->samples == 1 && !e->owner);
  rep_watch_access(t, 3, base, 1);
  assert(e->samples == 1 && e->mask[0] == 0xc1);  // the same segment
  for (uint32_t at = 1; at < 20; ++at) {
    atomic_store(&t->at, at);
    rep_watch_access(t, 3, base + at % 8, 1);
  }
  assert(e->samples == RT_WATCH_SAMPLES && e->cut);
  for (uint32_t i = 0; i < 4; ++i) assert(e->position[i] == i && e->position[4 + i] == 16 + i);
  assert(e->mask[7] == 1 << 19 % 8 && rep_watch->used == 2);
  end();
}

static void test_large(void) {
  begin(1 << 14);
  rep_watch_access(&rep->thread[0], 5, base + 3, 1 << 20);
  uint64_t cells = (1 << 20) / 8 + 1;
  assert(watch_wanted(rep_watch)[5] & RT_WATCH_PARTLY && !rep_watch->flags);
  assert(find(5, 0, base / 8)->mask[0] == 0xf8 && find(5, 0, base / 8 + 63) && !find(5, 0, base / 8 + 65));
  assert(find(5, 0, base / 8 + 1024) && find(5, 0, base / 8 + cells - 1)->mask[0] == 0x07);
  assert(!find(5, 0, base / 8 + cells));
  end();
  begin(4096);
  for (uint64_t i = 0; i < 5000; ++i) rep_watch_access(&rep->thread[0], 7, base + i * 8, 8);
  assert(rep_watch->used == 4096 && rep_watch->flags == RT_WATCH_FULL);
  assert(watch_wanted(rep_watch)[7] & RT_WATCH_PARTLY && !watch_wanted(rep_watch)[6]);
  end();
}

// A release is stamped at once, an acquire when the operation is over; waiting in a loop leaves one stamp.
static void test_orders(void) {
  begin(1024);
  const RepThread *a = &rep->thread[0], *b = &rep->thread[1];
  const RtWatchOrders *of_a = watch_orders(rep_watch, 0), *of_b = watch_orders(rep_watch, 1);
  rep_watch_access(a, 0, base, 8);
  for (int i = 0; i < 100000; ++i) rep_watch_orders(b, 1);
  rep_watch_access(b, 1, base + 8, 8);
  assert(of_b->acquires == 1 && !of_b->releases);
  rep_watch_orders(a, 2);
  assert(of_a->releases == 1 && of_a->release[0] > find(0, 0, base / 8)->stamp[0]);
  rep_watch_orders(b, 1);
  rep_watch_access(b, 1, base, 8);
  assert(of_b->acquires == 2 && of_b->acquire[1] > of_a->release[0]);
  assert(find(1, 1, base / 8)->stamp[0] >= of_b->acquire[1]);
  uint64_t first = of_a->release[0];
  rep_watch_orders(a, 2), rep_watch_orders(a, 2);
  assert(of_a->releases == 2 && of_a->release[0] == first && of_a->release[1] > of_b->acquire[1]);
  end();
}

// -- many at once

static uint32_t draw(uint32_t *x) {
  *x ^= *x << 13, *x ^= *x >> 17, *x ^= *x << 5;
  return *x;
}

typedef struct {
  uint32_t access;
  uint64_t cell;
  uint8_t mask;
} Step;

static Step step_of(uint32_t *x) {
  uint32_t r = draw(x);
  return (Step){r % ACCESSES, base / 8 + (r >> 8) % CELLS, (uint8_t)(1u << (r >> 20) % 8)};
}

static void *work(void *arg) {
  const RepThread *t = arg;
  uint32_t x = t->id * 7919 + 1;
  for (int i = 0; i < STEPS; ++i) {
    Step s = step_of(&x);
    rep_watch_access(t, s.access, s.cell * 8 + (uint64_t)__builtin_ctz(s.mask), 1);
    if (i % 64 == 0) rep_watch_orders(t, 1 + (uint32_t)i / 64 % 3);
  }
  return NULL;
}

static uint8_t want[THREADS][ACCESSES][CELLS];

static void test_many(void) {
  pthread_t threads[THREADS];
  begin(1 << 20);
  for (uint32_t i = 0; i < THREADS; ++i) assert(!pthread_create(&threads[i], NULL, work, &rep->thread[i]));
  for (uint32_t i = 0; i < THREADS; ++i) assert(!pthread_join(threads[i], NULL));
  uint64_t count = 0;
  for (uint32_t t = 0; t < THREADS; ++t) {
    uint32_t x = t * 7919 + 1;
    for (int i = 0; i < STEPS; ++i) {
      Step s = step_of(&x);
      uint8_t *w = &want[t][s.access][s.cell - base / 8];
      count += !*w;
      *w |= s.mask;
    }
  }
  assert(rep_watch->used == count && !rep_watch->flags);
  for (uint64_t i = 0; i < rep_watch->used; ++i) {
    const RtWatchEntry *e = &watch_entries(rep_watch)[i];
    uint8_t *w = &want[e->thread][e->access][e->cell - base / 8];
    assert(e->samples == 1 && e->mask[0] == *w);
    *w = 0;  // each once
  }
  end();
}

int main(void) {
  test_cells();
  test_large();
  test_orders();
  test_many();
  puts("ok");
  return 0;
}

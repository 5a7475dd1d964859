// From the address of an object to its cell: a hash table with chains that only grow, and in front of it a
// small cache per thread (in cell_of).
#include <errno.h>
#include <sys/mman.h>
#include "rec.h"
#include "rt/maps.h"
#include "rt/shape.h"

enum { CELLS_AT_ONCE = 1024, DRAIN_TRIES = 100000 };

static Cell *cells(void) {
  return (Cell *)(rec + 1);
}

// Memory for them is made accessible in portions. Doing so twice does no harm.
static Cell *cell_new(void) {
  uint32_t i = atomic_fetch_add(&rec->cells, 1);
  uint32_t most = atomic_load_explicit(&rec->cells_most, memory_order_relaxed);
  if (i >= most) return atomic_store(&rec->cells, most), NULL;
  uint32_t portion = i / CELLS_AT_ONCE;
  if (portion >= atomic_load_explicit(&rec->cells_ready, memory_order_acquire)) {
    Cell *first = cells() + (size_t)portion * CELLS_AT_ONCE;
    if (mprotect(first, CELLS_AT_ONCE * sizeof(Cell), PROT_READ | PROT_WRITE))
      return atomic_store(&rec->cells_most, 0), NULL;
    uint32_t ready = portion;
    atomic_compare_exchange_strong(&rec->cells_ready, &ready, portion + 1);
  }
  return cells() + i;
}

static _Atomic(Cell *) *bucket_of(uint64_t key) {
  return &rec->buckets[key * UINT64_C(0x9E3779B97F4A7C15) >> 48];
}

static Cell *chain_find(Cell *c, const Cell *end, uint64_t key) {
  while (c != end && atomic_load_explicit(&c->key, memory_order_relaxed) != key)
    c = atomic_load_explicit(&c->next, memory_order_relaxed);
  return c == end ? NULL : c;
}

static Cell *cell_insert(_Atomic(Cell *) *bucket, Cell *head, uint64_t key) {
  Cell *c = cell_new(), *old = NULL;
  if (!c) return NULL;
  atomic_store_explicit(&c->key, key, memory_order_relaxed);
  do {
    Cell *other = chain_find(head, old, key);
    if (other) return other;  // another thread was faster; a cell is lost
    old = head;
    atomic_store_explicit(&c->next, head, memory_order_relaxed);
  } while (
      !atomic_compare_exchange_weak_explicit(bucket, &head, c, memory_order_release, memory_order_acquire));
  return c;
}

// With no room left all such objects share a cell per thread: nothing that follows can be put in order.
static Cell *cell_none(RtThread *t) {
  rec_why(RT_WHY_OBJECTS, 0);
  t->blind = 1;
  return &t->none;
}

HIDDEN Cell *cell_find(RtThread *t, uint64_t key) {
  int saved = errno;
  _Atomic(Cell *) *bucket = bucket_of(key);
  Cell *head = atomic_load_explicit(bucket, memory_order_acquire);
  Cell *c = chain_find(head, NULL, key);
  if (!c) c = cell_insert(bucket, head, key);
  errno = saved;
  if (!c) return cell_none(t);
  uint64_t address = key << 8 >> 8;
  t->cells[(address >> 3 ^ address >> 11) % REC_CACHE] = c;
  return c;
}

HIDDEN Cell *cell_known(uint64_t key) {
  return chain_find(atomic_load_explicit(bucket_of(key), memory_order_acquire), NULL, key);
}

static const void *address_of(uint64_t key) {
  return (const void *)(uintptr_t)(key << 8 >> 8);
}

static void log_object(RtThread *t, Cell *c, uint32_t id) {
  uint64_t key = atomic_load_explicit(&c->key, memory_order_relaxed);
  uint32_t value = atomic_load_explicit(&c->value, memory_order_relaxed);
  RtKind kind = (RtKind)(key >> 56);
  bool shared = shape_is_shared(kind, address_of(key));
  uint8_t is = (uint8_t)(kind | (shared ? RT_WITH_OTHERS : 0));
  log_append(t, (RtEntry){value, id, (uint32_t)key, RT_OBJECT, is, (uint16_t)(key >> 32)});
  int saved = errno;
  if (shared && !maps_private((uintptr_t)address_of(key))) rec_input(t, RT_SITE_INDIRECT, RT_INPUT_SHARED);
  errno = saved;
}

// Of what was made by an initializer, or unseen.
static uint32_t value_unseen(uint64_t key) {
  return key >> 56 == RT_MUTEX ? shape_of_mutex(address_of(key)) : RT_NO_VALUE;
}

static uint32_t object_new(void) {
  uint32_t id = atomic_fetch_add(&rec->objects, 1) + 1;
  atomic_store_explicit(&rec->process->objects, id, memory_order_relaxed);
  return id;
}

// Written down before others see the id: they may use it while this thread is killed. Of two threads that
// name an object at once, one has written down an object that nobody uses.
HIDDEN uint32_t cell_name(RtThread *t, Cell *c) {
  uint32_t id = object_new(), none = 0;
  atomic_store(&c->value, value_unseen(atomic_load_explicit(&c->key, memory_order_relaxed)));
  log_object(t, c, id);
  return atomic_compare_exchange_strong(&c->id, &none, id) ? id : none;
}

// Nobody else may use an object while it is initialized or destroyed.
HIDDEN void cell_begin(RtThread *t, Cell *c, RtSite site, uint32_t value) {
  uint32_t id = object_new();
  uint64_t low = atomic_load_explicit(&c->key, memory_order_relaxed) >> 56 == RT_SEMAPHORE ? value : 0;
  atomic_store_explicit(&c->value, value, memory_order_relaxed);
  cell_own(c, 0);
  atomic_store_explicit(&c->id, id, memory_order_relaxed);
  log_object(t, c, id);
  atomic_store_explicit(&c->word, low + CELL_ONE, memory_order_relaxed);
  log_plain(t, site, RT_INIT, id, RT_OK);
}

// Threads that the real operation has let go may not have taken their numbers yet; nobody can use the object
// before they have.
HIDDEN void cell_drain(Cell *c) {
  for (int i = 0; (uint32_t)cell_word(c) && i < DRAIN_TRIES; ++i) sched_yield();
  if ((uint32_t)cell_word(c)) rec_why(RT_WHY_OBJECTS, 0);
}

HIDDEN void cell_end(RtThread *t, Cell *c, RtSite site) {
  log_add(t, site, RT_DESTROY, c, CELL_ONE, RT_OK);
  cell_own(c, 0);
  atomic_store_explicit(&c->word, 0, memory_order_relaxed);
  atomic_store_explicit(&c->id, 0, memory_order_relaxed);
}

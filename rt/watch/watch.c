// Of a program whose accesses all have hooks: those that are wanted are noted, by what they touch.
#include <malloc.h>
#include <string.h>
#include "rt/replay/rep.h"
#include "rt/watch.h"
#include "watched.h"

// The module's: a byte for each access, which the hook looks at before it calls us.
extern uint8_t rt_rep_wanted[];
extern const uint32_t rt_rep_accesses;

enum { FIRST = RT_WATCH_SAMPLES / 2, LAST = RT_WATCH_SAMPLES - FIRST - 1 };
enum { RECENT = 256, BLOCK = 512, ENDS = 64, SOME = 16 };  // cells

static _Thread_local struct {
  uint64_t key;
  RtWatchEntry *entry;
} recent[RECENT];

static _Thread_local bool acquires;  // its last operation that orders memory did

HIDDEN RtWatch *rep_watch;

HIDDEN void rep_watch_start(void) {
  if (rep_table->mode != RT_REPLAY_WATCH || !rep_table->watch) return;
  RtWatch *w = (RtWatch *)(void *)((char *)rep_table + rep_table->watch);
  if (w->accesses != rt_rep_accesses) return;
  rep_watch = w;
  memcpy(rt_rep_wanted, watch_wanted(w), w->accesses);
}

// -- stacks

HIDDEN void rep_watch_thread(RepThread *t) {
  pthread_attr_t attr;
  void *low;
  size_t size;
  if (!rep_watch || pthread_getattr_np(pthread_self(), &attr)) return;
  if (!pthread_attr_getstack(&attr, &low, &size)) {
    t->stack_low = (uintptr_t)low;
    t->stack_high = (uintptr_t)low + size;
  }
  pthread_attr_destroy(&attr);
}

static uint32_t owner_of(uint64_t address) {
  for (uint32_t i = 0; i < rep_table->threads; ++i) {
    const RepThread *t = &rep->thread[i];
    if (address >= t->stack_low && address < t->stack_high) return i + 1;
  }
  return 0;
}

// -- entries

static uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  return x * UINT64_C(0xd6e8feb86659fd93);
}

static uint64_t key_of(uint32_t access, uint32_t thread, uint64_t cell) {
  uint64_t key = mix(mix(cell) + ((uint64_t)access << 20) + thread);
  return key ? key : 1;
}

static void note_partly(uint32_t access) {
  __atomic_store_n(&watch_wanted(rep_watch)[access], RT_WATCH_WANTED | RT_WATCH_PARTLY, __ATOMIC_RELAXED);
}

// At the first free slot from `i` on.
static RtWatchEntry *add_entry(const RepThread *t, uint32_t access, uint64_t cell, uint64_t key, uint64_t i) {
  uint64_t n = atomic_fetch_add(&rep_watch->used, 1), mask = watch_slots_count(rep_watch) - 1;
  if (n >= rep_watch->entries) {
    atomic_fetch_sub(&rep_watch->used, 1);
    atomic_fetch_or(&rep_watch->flags, RT_WATCH_FULL);
    note_partly(access);
    return NULL;
  }
  RtWatchEntry *e = &watch_entries(rep_watch)[n];
  e->access = access, e->thread = t->id, e->cell = cell, e->owner = owner_of(cell * 8), e->key = key;
  for (uint32_t none = 0; !atomic_compare_exchange_strong(&watch_slots(rep_watch)[i], &none, (uint32_t)n + 1);
       none = 0)
    i = (i + 1) & mask;
  return e;
}

// Nobody else makes one of this key. NULL: there is no room.
static RtWatchEntry *entry_of(const RepThread *t, uint32_t access, uint64_t cell) {
  uint64_t key = key_of(access, t->id, cell), mask = watch_slots_count(rep_watch) - 1, i = key & mask;
  if (recent[key % RECENT].key == key) return recent[key % RECENT].entry;
  _Atomic uint32_t *slots = watch_slots(rep_watch);
  RtWatchEntry *all = watch_entries(rep_watch), *found = NULL;
  uint32_t there;
  for (; !found && (there = atomic_load_explicit(&slots[i], memory_order_acquire)); i = (i + 1) & mask)
    if (all[there - 1].key == key) found = &all[there - 1];
  if (!found) found = add_entry(t, access, cell, key, i);
  if (found) recent[key % RECENT].key = key, recent[key % RECENT].entry = found;
  return found;
}

static void note(const RepThread *t, uint32_t access, uint64_t cell, uint8_t mask) {
  RtWatchEntry *e = entry_of(t, access, cell);
  if (!e) return;
  uint32_t at = atomic_load_explicit(&t->at, memory_order_relaxed);
  uint8_t n = e->samples;
  if (n && e->position[n - 1] == at) {
    e->mask[n - 1] |= mask;
    return;
  }
  if (n == RT_WATCH_SAMPLES) {
    memmove(&e->mask[FIRST], &e->mask[FIRST + 1], LAST * sizeof *e->mask);
    memmove(&e->position[FIRST], &e->position[FIRST + 1], LAST * sizeof *e->position);
    memmove(&e->stamp[FIRST], &e->stamp[FIRST + 1], LAST * sizeof *e->stamp);
    e->cut = 1, --n;
  }
  e->position[n] = at, e->mask[n] = mask;
  e->stamp[n] = atomic_load_explicit(&rep_watch->stamp, memory_order_relaxed);
  e->samples = n + 1;
}

// A loop that waits acquires very often: the second time brings nothing if nobody has released meanwhile.
static void note_acquire(RtWatchOrders *o) {
  uint64_t released = atomic_load(&rep_watch->released);
  if ((o->acquires && o->released == released) || o->acquires == RT_WATCH_ORDERS) return;
  o->released = released;
  o->acquire[o->acquires++] = atomic_fetch_add(&rep_watch->stamp, 1) + 1;
  atomic_fetch_add(&rep_watch->acquired, 1);
}

// Where nobody has acquired meanwhile, the later one serves for both.
static void note_release(RtWatchOrders *o) {
  uint64_t acquired = atomic_load(&rep_watch->acquired), now = atomic_fetch_add(&rep_watch->stamp, 1) + 1;
  if (o->releases && o->acquired == acquired)
    o->release[o->releases - 1] = now;
  else if (o->releases < RT_WATCH_ORDERS)
    o->release[o->releases++] = now;
  o->acquired = acquired;
  atomic_fetch_add(&rep_watch->released, 1);
}

// We are called before the operation; what it acquires was there at the latest when it is over.
static void end_acquire(const RepThread *t) {
  if (acquires) note_acquire(watch_orders(rep_watch, t->id));
  acquires = false;
}

HIDDEN void rep_watch_orders(const RepThread *t, uint32_t how) {
  end_acquire(t);
  if (how & 2) note_release(watch_orders(rep_watch, t->id));
  acquires = how & 1;
}

HIDDEN void rep_watch_access(const RepThread *t, uint32_t access, uint64_t address, uint64_t size) {
  uint64_t end = address + size, first = address / 8, last = (end - 1) / 8;
  bool large = last - first > BLOCK;
  if (atomic_load_explicit(&rep_table->reused, memory_order_relaxed)) return;
  end_acquire(t);
  if (large) note_partly(access);
  for (uint64_t cell = first; cell <= last; ++cell) {
    bool middle = cell - first >= ENDS && last - cell >= ENDS;
    if (large && middle) cell = (cell + SOME - 1) / SOME * SOME;
    uint64_t from = cell * 8 > address ? 0 : address - cell * 8, to = end - cell * 8 < 8 ? end - cell * 8 : 8;
    note(t, access, cell, (uint8_t)(((1u << to) - 1) & ~((1u << from) - 1)));
  }
}

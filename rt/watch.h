// rt/watch -- what a watched run leaves behind: which bytes each place of the program has touched in each
// thread, and when. It stands behind the table of replay (rt/replay.h) in the same file; the run is held to
// all events of the list, and is the program's own when they are over or it leaves them.
//
// An entry is made for an access, a thread and eight aligned bytes; of a large block only for its ends and
// for some in between, the same ones whoever touches it. Memory is not given back meanwhile, as far as the
// limit goes: equal addresses then are the same memory. Stamps count what orders memory without being an
// event: from them one sees whether something of that kind may have come between two accesses.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

enum { RT_WATCH_SAMPLES = 8, RT_WATCH_ORDERS = 1 << 14 };
enum { RT_WATCH_FULL = 1 };                         // not all is there
enum { RT_WATCH_WANTED = 1, RT_WATCH_PARTLY = 2 };  // of an access; not all that it touched was noted

typedef struct {
  uint64_t key;
  uint64_t cell;  // address / 8
  uint32_t access, thread;
  uint32_t owner;        // the thread on whose stack it was, plus one; 0: elsewhere
  uint8_t samples, cut;  // some between the first ones and the last are not there
  // How many of its events the thread had behind it, and which of the bytes it touched then.
  uint8_t mask[RT_WATCH_SAMPLES];
  uint32_t position[RT_WATCH_SAMPLES];
  uint64_t stamp[RT_WATCH_SAMPLES];
} RtWatchEntry;

// Of one thread, ascending.
typedef struct {
  uint32_t acquires, releases;
  uint64_t released, acquired;  // what all had done at its last one
  uint64_t acquire[RT_WATCH_ORDERS], release[RT_WATCH_ORDERS];
} RtWatchOrders;

typedef struct {
  uint32_t accesses, threads;
  uint64_t entries;  // room for so many, a power of two
  _Atomic uint64_t used, stamp;
  _Atomic uint64_t released, acquired;  // how often, by any thread
  _Atomic uint32_t flags;
  uint32_t unused;
  // Behind it: of each access a byte, whether it is wanted; the orders of each thread; slots, which hold the
  // number of an entry plus one, by its key; the entries, of which `used` are there.
} RtWatch;

static inline uint8_t *watch_wanted(RtWatch *w) {
  return (uint8_t *)(w + 1);
}
static inline RtWatchOrders *watch_orders(RtWatch *w, uint32_t thread) {
  uint64_t wanted = (w->accesses + UINT64_C(7)) & ~UINT64_C(7);
  return (RtWatchOrders *)(void *)(watch_wanted(w) + wanted) + thread;
}
static inline uint64_t watch_slots_count(const RtWatch *w) {
  return w->entries * 2;
}
static inline _Atomic uint32_t *watch_slots(RtWatch *w) {
  return (_Atomic uint32_t *)(void *)watch_orders(w, w->threads);
}
static inline RtWatchEntry *watch_entries(RtWatch *w) {
  return (RtWatchEntry *)(void *)(watch_slots(w) + watch_slots_count(w));
}
static inline uint64_t watch_size(const RtWatch *w) {
  uint64_t wanted = (w->accesses + UINT64_C(7)) & ~UINT64_C(7);
  return sizeof *w + wanted + w->threads * sizeof(RtWatchOrders) + watch_slots_count(w) * sizeof(uint32_t) +
         w->entries * sizeof(RtWatchEntry);
}

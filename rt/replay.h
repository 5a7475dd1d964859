// rt/replay -- what replay and the program that is replayed share: a file that both map. The first fills in
// the list of events and what is wanted, the runtime (rep_*.c, libspecialize-replay.a) what came of it.
//
// The program is the original with the hooks of rt/record.h, which here hold it to the list, and two more
// below. Events of the list take place when those that they wait for have, by the real operations; calls are
// no events here. A thread that is through with its list is in its segment. If one of the accesses is to be
// there, it is watched until it comes to an event that the list does not hold; at that every thread stops.
// When the two have met, everything runs free.
#pragma once
#include <stdatomic.h>
#include <stdint.h>
#include "stand.h"

#define RT_REPLAY_ENV "SPECIALIZE_REPLAY"  // names the file
#define RT_TOUCH_TEXT UINT64_MAX           // sizes of rt_rep_access: up to the NUL,
#define RT_TOUCH_HEAP (UINT64_MAX - 1)     // the allocated block
enum { RT_REPLAY_VERSION = 4, RT_REPLAY_TOUCHES = 1 << 14, RT_REPLAY_EXIT = 86 };

// What the instrumented program calls. Before an access of the table, with its number there; before what
// orders memory without being an event: 1 acquires, 2 releases.
void rt_rep_access(uint32_t access, const void *address, uint64_t size);
void rt_rep_orders(uint32_t how);

typedef enum { RT_REP_ENTER, RT_REP_EXIT, RT_REP_ONCE, RT_REP_OTHER } RtReplayKind;
enum { RT_REP_RAN = -2, RT_REP_SERIAL = -1, RT_REP_FAILED = -3 };  // of error, beside error numbers
typedef struct {
  uint32_t thread, site;  // of the module; RT_NO_SITE: none
  uint32_t other;         // create: the thread. Of a barrier: the round
  int32_t error;          // how it ends
  uint8_t kind, cancelled;
  uint32_t position;           // among those of its thread
  uint32_t first_wait, waits;  // for which events of other threads
} RtReplayEvent;

// Probing logs what both threads touch, the segments one after the other as far as that is possible; then the
// process ends; apart: all runs free instead. Holding stops a thread at its access until the other comes to
// its own at the same place. Plain only goes through the list; watching too, and notes what is touched
// (rt/watch.h). Standing too, and notes where threads wait from the beginning on; then all runs free.
typedef enum {
  RT_REPLAY_PROBE,
  RT_REPLAY_APART,
  RT_REPLAY_HOLD,
  RT_REPLAY_PLAIN,
  RT_REPLAY_WATCH,
  RT_REPLAY_STAND
} RtReplayMode;
typedef enum {
  RT_REPLAY_RUNS,
  RT_REPLAY_ENDED,  // both segments have ended, nothing was held together
  RT_REPLAY_MET,
  RT_REPLAY_LOCKED,    // one was held with an excluded lock, for which the other waits
  RT_REPLAY_DIVERGED,  // at `event`: thread, and the site that it came to
  RT_REPLAY_LEFT       // the process ended before
} RtReplayState;

// Executions of an access, `stride` bytes apart. What the thread had acquired and released before.
typedef struct {
  uint64_t address, size;
  int64_t stride;
  uint64_t count, occurrence;
  uint32_t acquires, releases;
} RtReplayTouch;
// MORE: not all is logged. AFTER: it began when the other segment had ended.
enum { RT_SIDE_BEGUN = 1, RT_SIDE_ENDED = 2, RT_SIDE_HELD = 4, RT_SIDE_MORE = 8, RT_SIDE_AFTER = 16 };
typedef struct {
  // Wanted.
  uint32_t thread, access;
  uint64_t occurrence;  // to hold; UINT64_MAX: at what touches low to high
  uint64_t low, high;
  // Seen.
  _Atomic uint32_t flags;
  uint32_t touches;
  uint64_t executed;
  uint32_t releases;       // at the end of the segment
  uint64_t address, size;  // of what it was held at, or came with
  uint64_t before, after;  // the first bytes there
  RtReplayTouch touch[RT_REPLAY_TOUCHES];
} RtReplaySide;

enum { RT_STAND_HOLDS = 16 };
// What a thread has. Beyond this many it is not noted.
typedef struct {
  uint32_t count;
  struct {
    uint64_t object;
    uint32_t shared, site;
  } at[RT_STAND_HOLDS];
} RtStandHeld;

typedef struct {
  uint32_t version, mode;
  uint32_t first;    // the side that goes first
  uint32_t patient;  // milliseconds that the other side waits for it to end its segment, when probing
  uint32_t events, threads, sites, rounds, waits;
  _Atomic uint32_t state;  // RtReplayState
  _Atomic uint32_t done;   // how many events have taken place
  uint32_t event, thread, site;
  uint64_t lock;
  uint64_t keep;            // so many bytes of freed memory are kept from being used again
  _Atomic uint32_t reused;  // it was more: equal addresses need not be the same memory from then on
  uint32_t unused;
  uint64_t watch;  // where the RtWatch begins in the file; 0: there is none
  RtReplaySide side[2];
  RtStand stand[RT_STANDS];
  RtStandHeld held[RT_STANDS];
  // Behind it: events; what they wait for; where the numbers of each thread's events begin, and one more;
  // those numbers; per round what of it is in the list; per site of the module whether it is ordinary.
} RtReplay;
enum { RT_ROUND_DEPARTS = 1, RT_ROUND_SERIAL = 2 };

static inline RtReplayEvent *replay_events(RtReplay *r) {
  return (RtReplayEvent *)(void *)(r + 1);
}
static inline uint32_t *replay_waits(RtReplay *r) {
  return (uint32_t *)(void *)(replay_events(r) + r->events);
}
static inline uint32_t *replay_begins(RtReplay *r) {
  return replay_waits(r) + r->waits;
}
static inline uint32_t *replay_order(RtReplay *r) {
  return replay_begins(r) + r->threads + 1;
}
static inline uint8_t *replay_rounds(RtReplay *r) {
  return (uint8_t *)(replay_order(r) + r->events);
}
static inline uint8_t *replay_ordinary(RtReplay *r) {
  return replay_rounds(r) + r->rounds;
}
static inline uint64_t replay_size(const RtReplay *r) {
  return sizeof *r + r->events * (sizeof(RtReplayEvent) + sizeof(uint32_t)) +
         (UINT64_C(1) + r->waits + r->threads) * sizeof(uint32_t) + r->rounds + r->sites;
}

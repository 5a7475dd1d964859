// rt/roll -- a schedule as bytes of the program that it holds, for code that is not cloned.
//
// A rolled program is the original with the hooks of rt/record.h; the runtime behind them (rt/roll,
// libspecialize-roll.a) takes the node of each event from a stream of its thread, decoded some nodes ahead,
// and does what rt/enforce does with it. Positions count only events that are published: calls and returns
// are not in the streams. There are no pointers in it, so nothing has to be relocated, and only what is
// reached is read.
//
// One block of bytes: RtRolled, RtRolledThread by thread, contexts, objects, RtWaits, texts, streams. A
// context is a site with its phase; a stream says of each event only what differs from a guess: the context
// that followed last time, the object of the event before, outcome 0, no wait. Bytes that are damaged give a
// wrong schedule or end the run; they never make the reader leave the block.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "enforce.h"

#define RT_ROLLED_MAGIC "SPRL"
enum { RT_ROLLED_VERSION = 1 };

typedef struct {
  char magic[4];
  uint32_t version;
  uint64_t size;  // of all
  uint64_t texts, streams;
  uint32_t id, threads, contexts, objects, waits;
  uint32_t most;  // waits of one event of a stream
  uint32_t end_thread, sends;
  uint32_t total, free;  // order; what a divergence does
} RtRolled;

// What the thread's first and last event is besides its place in the stream; context RT_NONE32: there is
// none.
typedef struct {
  uint32_t context, first, waits;
  int32_t outcome;
} RtRolledEdge;

typedef struct {
  uint64_t at, size;  // among the streams
  uint32_t events;    // those of enter and exit included
  uint32_t routine;   // a text
  RtRolledEdge enter, exit;
} RtRolledThread;

// What an event has besides object and outcome. WAIT: its mutex. WAKE: the departure, whose signal woke it.
// ARRIVE, DEPART: of a barrier, its round. THREAD: its object is a thread. ONCE: may have run the routine.
typedef enum {
  RT_ROLLED_PLAIN,
  RT_ROLLED_WAIT,
  RT_ROLLED_WAKE,
  RT_ROLLED_ARRIVE,
  RT_ROLLED_DEPART,
  RT_ROLLED_THREAD,
  RT_ROLLED_ONCE,
  RT_ROLLED_SHAPES
} RtRolledShape;

typedef struct {
  uint32_t site;                  // of the module
  uint32_t stack;                 // the calls that are open there: rolled_called of all
  uint32_t function, file, what;  // texts
  uint32_t line, column, shape;
} RtRolledContext;

typedef struct {
  uint8_t family, recursive, robust, unused;
  uint32_t amount, rounds, name;
  uint32_t first, lasts;  // of the waits: RtLife.last
} RtRolledObject;

// The calls that a thread is in that may synchronize, by their sites: 0, and rolled_called for each. The
// program keeps it in a variable of the thread, and sets it back behind the call and where control comes back
// in another way.
#define ROLLED_FACTOR UINT32_C(0x9E3779B1)
static inline uint32_t rolled_called(uint32_t stack, uint32_t site) {
  return (stack + site + 1) * ROLLED_FACTOR;
}
// Whether the thread's next event is at this site.
int rt_roll_asks(uint32_t site);
extern _Thread_local uint32_t rt_roll_stack __attribute__((tls_model("initial-exec")));

static inline const RtRolledThread *rolled_threads(const RtRolled *r) {
  return (const RtRolledThread *)(const void *)(r + 1);
}
static inline const RtRolledContext *rolled_contexts(const RtRolled *r) {
  return (const RtRolledContext *)(const void *)(rolled_threads(r) + r->threads);
}
static inline const RtRolledObject *rolled_objects(const RtRolled *r) {
  return (const RtRolledObject *)(const void *)(rolled_contexts(r) + r->contexts);
}
static inline const RtWait *rolled_waits(const RtRolled *r) {
  return (const RtWait *)(const void *)(rolled_objects(r) + r->objects);
}
static inline const char *rolled_texts(const RtRolled *r) {
  return (const char *)(rolled_waits(r) + r->waits);
}
static inline const uint8_t *rolled_streams(const RtRolled *r) {
  return (const uint8_t *)(rolled_texts(r) + r->texts);
}
// As rt_enf_ready and rt_enf_begin; then the original's main is to run.
int rt_roll_ready(const RtRolled *r);
void rt_roll_begin(const RtRolled *r);

// Whether all tables lie in the block, and speak of nothing that is not there. size: of the block.
bool rolled_whole(const void *block, uint64_t size);

// The bytes of a stream. A head says what follows: which guesses were wrong, and how many waits there are.
// Beyond ROLLED_RUN it stands for that many events, and one, of which all guesses are right.
enum {
  ROLLED_CONTEXT = 1,
  ROLLED_OBJECT = 2,
  ROLLED_OUTCOME = 4,
  ROLLED_MORE = 8,  // mutex, signal or round
  ROLLED_WAITS = 16,
  ROLLED_MANY = 7,  // waits: their number follows
  ROLLED_RUN = 128
};

// What writer and reader know alike when they come to an event.
typedef struct {
  uint32_t context, object, mutex, round;
  uint32_t *follows;  // by context: the one behind it last time
  uint32_t *needs;    // by thread: what was last waited for of it
} RolledGuess;

typedef struct {
  const uint8_t *at, *end;
  uint32_t run;
  RolledGuess guess;
} RolledReader;

typedef struct {
  uint32_t context, object;
  int32_t outcome;
  uint32_t mutex;         // of WAIT
  uint32_t round;         // of ARRIVE and DEPART; of WAKE what the waker has published
  uint32_t waker, waits;  // RT_NONE32: nobody
} RolledEvent;

// guess.follows and guess.needs are the caller's, of zeros.
void rolled_begin(RolledReader *x, const RtRolled *r, uint32_t thread);
// False: the stream is damaged. wait has room for r->most.
bool rolled_next(RolledReader *x, const RtRolled *r, RolledEvent *out, RtWait *wait);

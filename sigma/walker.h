// sigma/walker -- inside walk: the state that its parts share.
#pragma once
#include "stacks.h"
#include "walk.h"

typedef Vec(uint32_t) Events;

typedef struct {
  uint32_t owner, depth;  // SIGMA_NONE, 0
  uint32_t taken, freed;  // when: the last outermost one
  bool dead;              // an owner had exited, once
  Events refused;         // attempts since it was taken
} LockState;

// Readers in the order in which they came; those who left have thread SIGMA_NONE. Attempts of others are
// refused because of the first one.
typedef struct {
  uint32_t thread, depth, taken;
} Hold;
typedef struct {
  LockState writer;
  Vec(Hold) holds;
  size_t first;   // that is not gone
  Events left;    // readers, since the last writer
  uint32_t held;  // by how many readers
} RwlockState;

typedef struct {
  uint32_t last;     // all but those who are woken stay in their order
  uint32_t mutex;    // of those who wait
  uint32_t waiting;  // how many
  uint32_t departed;
  Events wakeable;  // departs with nothing to wake them yet, as a heap: the earliest first
} CondState;

typedef struct {
  uint32_t generation;  // that gathers; SIGMA_NONE: nobody has arrived for it
  uint32_t before;      // the one before it
  uint32_t newcomer;    // the first that gathers without having been in that; SIGMA_NONE
  Events arrived;
} BarrierState;

typedef struct {
  uint64_t taken;    // how often it was
  uint32_t refused;  // the last attempt that found it at zero
  Events posts;
  Events acquired;  // since then
} SemaphoreState;

typedef struct {
  uint32_t running;     // the thread that runs the routine
  uint32_t done, left;  // when it had run; when it was last given up
} OnceState;

// What one of its eight bytes holds, and which events published by writing it: those that a reader that
// acquires comes behind. Index into Walker.releases, 0: none.
typedef struct {
  uint8_t value;
  bool known;
  uint32_t releases;
} ByteState;
typedef struct {
  uint32_t written;  // the last write
  uint32_t last;     // the last event
  Events readers;    // since then
  ByteState bytes[8];
} CellState;

typedef union {
  CellState cell;
  LockState lock;
  RwlockState rwlock;
  CondState cond;
  BarrierState barrier;
  SemaphoreState semaphore;
  OnceState once;
} ObjectState;

typedef enum { THREAD_UNBORN, THREAD_CREATED, THREAD_RUNS, THREAD_EXITED } ThreadStage;
typedef struct {
  uint8_t stage;
  bool detached, joined;
  uint32_t created, exited;
  uint32_t last;     // its last event so far
  uint32_t cancel;   // what cancels it
  uint32_t arrived;  // where it waits; SIGMA_NONE
  uint32_t waker;    // of that condition wait
  Events before_exit;
  Events unfenced;  // what it read without acquiring, published by these: an acquire fence does
  uint32_t fence;   // its last release fence
  Events robust;    // mutexes that it took
} ThreadState;

typedef struct {
  uint32_t departed;
  bool serial;
} GenerationState;

typedef struct {
  Walk *w;
  const Sigma *s;
  const Schedule *c;
  Diags *diags;
  Schedule *settle;  // the schedule, if what follows from its events is to be filled in
  ThreadState *threads;
  EventStacks *stacks;
  ObjectState *objects;
  Vec(GenerationState) generations;
  Vec(Events) releases;  // of writes that published; the first is empty
  Map *seats;            // by object and thread: the hold of a reader, the generation of who met at a barrier
  unsigned outcomes[SYNC_FUTEX + 1][EVENT_KINDS];
} Walker;

// Says what is wrong with the event; returns false.
bool wrong(Walker *k, uint32_t event, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void edge(Walker *k, uint32_t from, uint32_t to,
          bool credit);  // from SIGMA_NONE, or one thread: nothing to do
void edges(Walker *k, Events *from, uint32_t to, bool credit);  // and empties from
void thread_exits(Walker *k, uint32_t event);                   // with what it holds
bool atomic_event(Walker *k, uint32_t event, CellState *cell);
bool fence_event(Walker *k, uint32_t event);
bool await_event(Walker *k, uint32_t event);
void atomics_stop(Walker *k);
bool object_event(Walker *k, uint32_t event);  // of a kind that has an object
void object_start(Walker *k, uint32_t object);
void object_stop(Walker *k, uint32_t object);
char *object_name(const Walker *k, uint32_t object);  // m0; the caller's
void walker_check(const Walker *k);  // asserts that it is whole; after a walk without an error

// rt/replay/rep -- what the files of the replayer share; nobody else includes this. It links instead of the
// recorder, and has its hooks (rt/record.h).
#pragma once
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include "rt/record.h"
#include "rt/replay.h"

#define HIDDEN __attribute__((visibility("hidden")))

enum { REP_HELD = 16 };

typedef struct RepThread {
  uint32_t id, end;        // how many events it has
  _Atomic uint32_t at;     // the next of them
  const uint32_t *events;  // their numbers in the list
  RtReplaySide *side;      // NULL: it is not one of the two
  bool entered;
  uint32_t rounds;    // of key destructors
  uint32_t handlers;  // of signals, that it is in
  uint32_t acquires, releases;
  uintptr_t stack_low, stack_high;
  _Atomic uint32_t park, parked;
  _Atomic uintptr_t waits_for;  // an excluded lock
  uintptr_t held[REP_HELD];     // excluded locks
  uint32_t holds;
  union {
    void *(*posix)(void *);
    thrd_start_t c11;
    void **state;
  } start;
  void *argument;
  void *cxx_state;
} RepThread;

// In memory that a forked child finds wiped: nothing is held there.
typedef struct {
  _Atomic uint32_t on;  // there is a list, and it is held to
  pid_t pid;
  _Atomic uint32_t begun;         // main has been entered
  _Atomic uint32_t sleepers;      // how many threads are parked
  _Atomic uint32_t lock;          // of the two sides
  _Atomic uint32_t gone;          // the side that goes first, when they have met
  _Atomic uint32_t signals[256];  // given to conditions, by hash of the address
  RepThread thread[];
} Rep;
extern HIDDEN Rep *rep;
extern HIDDEN RtReplay *rep_table;  // NULL: none
extern HIDDEN _Thread_local RepThread *rep_self __attribute__((tls_model("initial-exec")));

// NULL: whoever this is, it is not held to anything.
static inline RepThread *rep_me(void) {
  RepThread *t = rep_self;
  return t && atomic_load_explicit(&rep->on, memory_order_acquire) && !t->handlers ? t : NULL;
}

typedef struct {
  RepThread *t;  // NULL: only do the real thing
  const RtReplayEvent *event;
} RepOp;
// run.c: before an operation, and behind it, with an error number or one of RT_REP_.
HIDDEN RepOp rep_arrive(RtSite site);
HIDDEN void rep_done(RepOp op, int error);
HIDDEN const RtReplayEvent *rep_next(const RepThread *t);  // NULL: it is through
HIDDEN bool rep_ordinary(RtSite site);
HIDDEN void rep_stop(RepThread *t);         // at an event that is not in the list, until all runs free
HIDDEN void rep_over(RtReplayState state);  // ends the process
HIDDEN void rep_diverged(const RepThread *t, RtSite site);
HIDDEN void rep_free(void);
HIDDEN void rep_pause(_Atomic uint32_t *word, uint32_t seen, long milliseconds);
HIDDEN void rep_wake(_Atomic uint32_t *word);
// thread.c
HIDDEN RepThread *rep_child(RepOp op);
HIDDEN void rep_thread_begin(RepThread *t);
HIDDEN int rep_key_make(void);
HIDDEN int rep_error_of_thrd(int r);
// stand.c: where threads wait, if that is wanted.
static inline bool rep_stands(void) {
  return rep && rep->pid && rep_table->mode == RT_REPLAY_STAND;
}
HIDDEN void rep_stand(RtStandKind kind, RtSite site, uint64_t object);  // begins to wait
HIDDEN void rep_stand_on(void);                                         // goes on
HIDDEN void rep_stand_took(const void *object, bool shared, RtSite site);
HIDDEN void rep_stand_gave(const void *object);
HIDDEN int rep_stand_key(void);
typedef struct {
  bool stands;
} RepJoin;
HIDDEN RepJoin rep_joining(RtSite site, pthread_t id);
HIDDEN void rep_joining_end(RepJoin *j);  // also when it is cancelled
#define REP_JOINING(site, id) \
  __attribute__((cleanup(rep_joining_end), unused)) RepJoin rep_join = rep_joining(site, id)
// access.c
HIDDEN void rep_segment(RepThread *t);  // begins
HIDDEN void rep_segment_end(RepThread *t);
HIDDEN void rep_segments_over(void);  // ends the process if both have ended
HIDDEN void rep_heap(void);           // heap.c: so that the linker takes it
// rt/watch, where it is linked
HIDDEN void rep_watch_start(void);
HIDDEN void rep_watch_thread(RepThread *t);
HIDDEN void rep_watch_access(const RepThread *t, uint32_t access, uint64_t address, uint64_t size);
HIDDEN void rep_watch_orders(const RepThread *t, uint32_t how);
// sync.c
typedef struct {
  int (*real)(void *c, void *m, clockid_t clock, const struct timespec *until);
  clockid_t clock;
  const struct timespec *until;
} RepWait;
HIDDEN int rep_wait(RtSite site, void *c, void *lock, pthread_mutex_t *m, const RepWait *w);
HIDDEN void rep_signalled(const void *c);

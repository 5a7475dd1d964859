// rt/enforce/enf -- what the files of the enforcement share; nobody else includes this.
//
// Every operation: enf_arrive (its turn, its object, its edges), the real thing, enf_finish (the outcome,
// publish). Where enf_arrive says no, the run is not held to a schedule any more: only the real thing is
// done.
#pragma once
#include <sched.h>
#include <stddef.h>
#include "inline.h"
#include "rt/log.h"

#define HIDDEN __attribute__((visibility("hidden")))

// Why a thread's fast path is closed: bits of RtThr.special.
enum {
  ENF_SPECIAL_FREE = RT_SPECIAL_FREE,
  ENF_SPECIAL_FENCE = 2,
  ENF_SPECIAL_RECHECK = 4,
  ENF_SPECIAL_CHAOS = 8
};

// CONVERTING: signals that have begun are finished. SETTLED: who was parked in a wait goes where it belongs.
typedef enum { ENF_OFF, ENF_ON, ENF_CONVERTING, ENF_SETTLED, ENF_FREE, ENF_FORKED } EnfMode;
// In a condition wait of ours; or on its way into the real one, with its proxy.
typedef enum { ENF_WAITS_NOT, ENF_WAITS, ENF_WAITS_REAL } EnfWaits;
// What holds up a thread whose patience is over.
typedef enum { ENF_NO_DELAY, ENF_NAPS, ENF_SPINS, ENF_OUTSIDE } EnfDelay;
typedef enum { ENF_NOT_YET, ENF_LIVES, ENF_ENDED } EnfLife;

// What only slow paths need of a thread of the schedule.
typedef struct {
  uint32_t number;
  uint32_t callback;      // how many of its plan's callbacks have come
  uint32_t rounds;        // of key destructors
  _Atomic uint32_t life;  // EnfLife
  _Atomic int32_t tid;
  pthread_t name;  // set by its creator before the creation is published
  // Where it is parked: waiting for `target` (RT_NONE32: for nobody) to publish `need`; or in a barrier.
  _Atomic(const RtNode *) at;
  _Atomic uint32_t target, need;
  _Atomic uint32_t barrier;     // an object; RT_NONE32
  const void *operand;          // what its slow path last came to; NULL: no object, or a thread
  bool wants_signal;            // it is in a wait
  _Atomic uint32_t signalling;  // it is between a signal and its publishing
  _Atomic uint32_t waiting;     // EnfWaits
  pthread_mutex_t *mutex;       // of that wait
  pthread_mutex_t proxy;        // with which the conversion has it wait in the real condition
  bool relocked;                // it converts, and has taken the mutex for its own wait
  bool lent;                    // to the child of vfork, until that is gone
  // From the creator to the trampoline.
  union {
    void *(*posix)(void *);
    thrd_start_t c11;
    void **state;
  } start;
  void *argument;
  const void *code;  // what the create's node says
  void *cxx_state;   // a table of virtual functions, see cxx.c
} __attribute__((aligned(64))) EnfThread;

typedef struct {
  const RtSchedule *schedule;
  _Atomic uint32_t mode;      // EnfMode
  bool quiet;                 // who may go on says nothing of it
  bool patient;               // what may still come is only told
  _Atomic uint32_t patience;  // milliseconds until it is; 0: never
  EnfThread *threads;
  // Where the next event of a thread is, if its nodes do not last; may be NULL, and is for messages only.
  const RtNode *(*next)(uint32_t thread);
} Enf;
extern HIDDEN Enf enf;
// NULL: not a thread of the schedule, or its end has come.
extern HIDDEN _Thread_local EnfThread *enf_self __attribute__((tls_model("initial-exec")));

static inline bool enf_on(void) {
  return atomic_load_explicit(&enf.mode, memory_order_acquire) == ENF_ON;
}

// run.c
HIDDEN void enf_special(uint32_t bits);  // for all threads
HIDDEN void enf_process_end(void);       // this thread is about to end it
// fork.c
HIDDEN void enf_forks_watch(void);
HIDDEN void enf_forks_make(void);
HIDDEN bool enf_is_child(void);  // of fork or vfork
// free.c
HIDDEN void enf_convert(void);
// Until a conversion that has begun is over: before anything that could wake somebody who is not there yet.
HIDDEN void enf_settle(void);
// wait.c
HIDDEN bool enf_wait(const RtNode *n, RtWait w);  // false: not held any more
HIDDEN bool enf_waits(const RtNode *n);           // all of them
HIDDEN bool enf_sleep(const RtNode *n, clockid_t clock, const struct timespec *until);
HIDDEN bool enf_arrive(const RtNode *n, const void *object);
HIDDEN void enf_note(const RtNode *n);  // for the recheck: it has happened
HIDDEN void enf_publish(const RtNode *n);
HIDDEN void enf_done(const RtNode *n);  // both
HIDDEN bool enf_again(const RtNode *n, int outcome, unsigned tries);
HIDDEN void enf_finish(const RtNode *n, int outcome);
HIDDEN void enf_count_thread(int change);  // 1: one begins, -1: one ends
HIDDEN void enf_futex_wake(uint32_t thread);
HIDDEN void *enf_memory(size_t size);
// Parks at the departure from a barrier until that is so, or the schedule does not hold any more.
HIDDEN void enf_park_barrier(const RtNode *n, bool (*until)(const RtNode *));
// rest.c
HIDDEN bool enf_rests_make(void);
HIDDEN void enf_rest(void);       // comes back only when the run is not held any more
HIDDEN void enf_rest_over(void);  // wakes all who do
// object.c
HIDDEN bool enf_objects_make(const RtSchedule *s);
HIDDEN bool enf_bind(const RtNode *n, uint32_t object, const void *address);
// diverge.c: come back only in a program that may go on, and then it is free.
HIDDEN void enf_out_of_order(const RtNode *n);
HIDDEN void enf_wrong_object(const RtNode *n, uint32_t object, const void *address, uint32_t other);
HIDDEN void enf_wrong_outcome(const RtNode *n, int outcome);
HIDDEN void enf_seen(const RtNode *n, const char *seen);         // in place of this event
HIDDEN void enf_thread_seen(uint32_t thread, const char *seen);  // in place of its next event
HIDDEN void enf_stuck(const RtNode *n, const char *why);
HIDDEN void enf_slow(const RtNode *n, EnfDelay why);  // comes back; told once
HIDDEN void enf_cannot(const char *what, int error);
// thread.c
HIDDEN int enf_threads_make(const RtSchedule *s);  // an error number
HIDDEN void enf_thread_begin(EnfThread *t);
HIDDEN bool enf_thread_enter(EnfThread *t);  // of a child: waits for its enter; false: run the original
HIDDEN bool enf_creates(const RtNode *n, const void *routine);
HIDDEN EnfThread *enf_child(const RtNode *n);
HIDDEN void enf_created(const RtNode *n, EnfThread *child, int outcome, pthread_t name);
HIDDEN bool enf_thread_arrive(const RtNode *n, pthread_t id);
// recheck.c
HIDDEN bool enf_recheck_make(const RtSchedule *s);
HIDDEN void enf_recheck_note(const RtNode *n);  // where RtThr.special says so
HIDDEN void enf_recheck_tell(void);             // at the end of the process
// stall.c: what a parked thread saw of the others when it last looked; zero at first.
typedef struct {
  uint64_t vain;       // how it came that it waits in vain
  uint64_t published;  // what all had, since that time, by the clock of enf_now
  int64_t since;
  uint64_t ran, turns;    // of those that do not sleep inside, then
  uint64_t turned, used;  // since then
  uint64_t stack;         // of those that nap, when last seen
  bool slow;              // the thread is held by the order alone, and not all others sleep inside
  bool naps;              // whenever they were seen asleep, it was with this stack
  bool outside;           // something may come from there
} EnfSeen;
HIDDEN EnfDelay enf_delay(EnfSeen *seen);
HIDDEN int64_t enf_now(void);  // milliseconds
// Why the thread parked at n waits in vain, NULL if it may not. handlers: whether those of signals may still
// help.
HIDDEN const char *enf_stalled(const RtNode *n, bool handlers, EnfSeen *seen);
HIDDEN int64_t enf_patience(const EnfSeen *seen);  // milliseconds until it is over
// cond.c
typedef struct {
  int (*real)(void *c, void *m, clockid_t clock, const struct timespec *until);  // error number
  clockid_t clock;
  const struct timespec *until;  // NULL: for ever
} EnfWaiting;
HIDDEN int enf_cond_wait(const RtNode *n, void *c, void *m, const EnfWaiting *w);  // error number
HIDDEN int enf_cond_signal(const RtNode *n, void *c, int (*real)(void *));         // its result
// barrier.c
HIDDEN bool enf_barriers_make(const RtSchedule *s);
HIDDEN uint32_t enf_barrier_count(const void *barrier, uint32_t unknown);
HIDDEN void enf_barriers_close(void);  // who arrives from now on goes to the real one

// rt/enforce -- what a specialized program calls: each event of its schedule is one call with its node.
//
// The pass replaces each call of a function F that core/syncs.def names, where it is an event, by rt_enf_F
// with the node in front: `pthread_mutex_lock(m)` becomes `rt_enf_pthread_mutex_lock(&node, m)`, with the
// result, the errno, the cancellation points and the exceptions that the recorded outcome means. Nodes,
// schedules and what they point to are constants of the generated module; so a body of rt/enforce/inline.h
// that is inlined folds to compares with constants.
//
// A thread of the schedule publishes its progress: the position of its last event and one. Before an event it
// waits until other threads have published what its node says. Events that concern nobody else (calls and
// returns of functions that synchronize) have positions and are never published. Where code comes from
// outside the module (a thread's routine, callbacks), the original's address is a stub that asks rt_enf_stub
// which clone continues.
//
// A run that leaves the schedule: one message on stderr that says `diverged`, with schedule, thread, place,
// what was expected and what was seen; then exit 66 at once (_exit), or, in a program built to go on
// (RtSchedule.free), conversion: from then on all operations are the real ones and order nothing. Then the
// message is for those who set SPECIALIZE_VERBOSE=1, and the clone goes on in a generic part of its own.
#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <threads.h>
#include <time.h>
#include "rt/atomic.h"

#define RT_NONE32 UINT32_MAX
// A schedule of version RT_ENFORCE_STEPS has `step` too, one of RT_ENFORCE_SENDS also `sends`. One of
// RT_ENFORCE_ROLLED has no `step`, and its nodes do not outlive their events (rt/roll.h).
enum { RT_SPECIAL_FREE = 1 };
enum { RT_ENFORCE_VERSION = 1, RT_ENFORCE_STEPS = 2, RT_ENFORCE_SENDS = 3 };
enum { RT_ENFORCE_ROLLED = 4, RT_EXIT_DIVERGED = 66 };
enum { RT_PATIENCE = 60 };  // seconds, without SPECIALIZE_PATIENCE

// How a node's operation ended when it was recorded: 0, an error number, or one of these. SPURIOUS is OK that
// no signal explains. RAN: of once, this thread runs the routine; of a guard, it initializes.
enum { RT_ENF_RAN = -1, RT_ENF_SERIAL = -2, RT_ENF_CANCELLED = -3, RT_ENF_SPURIOUS = -4, RT_ENF_FAILED = -5 };

typedef struct {
  uint32_t thread, need;  // what that thread has to have published, at least
} RtWait;

typedef struct RtNode RtNode;
struct RtNode {
  uint32_t thread, position;
  uint32_t
      before;  // what this thread has published when it comes here: its last published position and one, or 0
  uint32_t
      object;  // index in RtSchedule.objects; RT_NONE32: none. Of create, join, detach, cancel: the thread
  uint32_t mutex;  // of a condition wait; 0: an atomic operation reads `round` and, above it, `waker`; else
                   // RT_NONE32
  int32_t outcome;
  uint32_t place;        // index in RtSchedule.places
  uint32_t round;        // of a barrier: which one of the object's, from 0; of a departure: see waker
  const RtNode *depart;  // of a wait or a barrier: its second half; NULL where it fails or there was none
  const void *code;      // create: what the child runs in the place of its routine (same type). NULL: the
                     // routine. once: the clone of its routine, for analyses
  const void *function;  // create: the routine that was recorded; NULL: not known, not compared
  uint32_t waits;        // how many
  uint32_t waker;  // of a wait's departure: whose signal woke it, when that has published `round`; RT_NONE32
  RtWait wait[];
};

// Code outside the module enters a function of it: which one, when, and what is to run in its place.
typedef struct {
  const void *function;  // the original's address: its stub
  const void *clone;
  uint32_t before;    // what the thread has published then
  uint32_t position;  // of the callback event, for messages
} RtCallback;

typedef struct {
  const char *routine;  // for messages; main for thread 0
  const RtNode *enter;  // NULL for thread 0
  const RtNode *exit;   // NULL: the process ends before it does
  uint32_t events;      // how many, the unpublished included
  uint32_t callbacks;
  const RtCallback *callback;  // in their order
} RtPlan;

typedef struct {
  // An object from its initialization to its end.
  uint8_t family;  // an RtKind of rt/log.h
  uint8_t recursive, robust;
  uint32_t amount;   // threads of a barrier
  uint32_t rounds;   // of a barrier
  const char *name;  // "m0 queue_lock"
  // The last event of each thread that touches it: after them its address may be another object's.
  uint32_t lasts;
  const RtWait *last;
} RtLife;

typedef struct {
  const char *function, *file, *what;  // file NULL: not known. what: the event in words, "lock m0"
  uint32_t line, column;
  uint32_t names;  // `what` is of many events: a message adds the object of its node
} RtPlace;

typedef struct RtSchedule {
  uint32_t version, id;
  uint32_t threads, objects, places;
  uint8_t total, free;   // order; what a divergence does
  uint32_t end_thread;   // whose exit ends the process
  const RtPlan *plan;    // by thread
  const RtLife *object;  // by object
  const RtPlace *place;
  // By thread and position: the place of each event, the unpublished included. For messages: they can name
  // what was expected. NULL: they tell its number.
  const uint32_t *const *step;
  uint32_t sends;  // the program sends signals itself: who waits for one need not wait for the world outside
} RtSchedule;

// A way that the schedule does not take.
typedef struct {
  uint32_t thread, next;               // whose, and the place of its next event; RT_NONE32: it had none left
  const char *function, *file, *seen;  // seen: "the branch that is not taken", "a call of f"
  uint32_t line, column;
} RtEdge;

// One cache line a thread; its number is a constant in the clone. An event compares what was published with
// its node, and finds special 0 as long as nothing is.
typedef struct {
  _Alignas(64) _Atomic uint32_t published;
  _Atomic uint32_t special;  // RT_SPECIAL_FREE, re-recording, ...: whoever sees it takes the slow path
  _Atomic uint32_t
      attention;  // the least that somebody is parked for until this thread publishes it; 0: none
  _Atomic uint32_t park;
  char rest[48];
} RtThr;
_Static_assert(sizeof(RtThr) == 64, "one line");

// Defined by the generated module, as large as its largest schedule needs: threads, addresses of objects.
extern RtThr rt_enf_threads[];
extern _Atomic(const void *) rt_enf_objects[];

// 1. Start and end. begin is called by thread 0 at the dispatch point, before anything of the clone; it
// registers what has to run last when the process exits, and when a thread ends.
void rt_enf_begin(const RtSchedule *s);
// Before it: 0, and said so, if something is not there that this needs: then the original is to run.
int rt_enf_ready(const RtSchedule *s);
int rt_enf_ready_alone(int64_t id, const RtSchedule *s);  // inside main: and the process has one thread
// What the stub at a function's address asks: NULL: run the original (no schedule is enforced, a handler of a
// signal, a process that was forked or is free).
const void *rt_enf_stub(const void *function);
// Where a clone would leave the schedule. stop does not come back. leave does, in a program that may go on:
// what follows it in the clone is generic code. e may be NULL where the run is free already.
noreturn void rt_enf_stop(const RtEdge *e);
void rt_enf_leave(const RtEdge *e);
// Whether the run is free, so that this thread is to leave its clone.
int rt_enf_is_free(uint32_t thread);
// Behind a call that may have forked: whether this is a forked process, or the child of vfork, which runs in
// its parent's memory; result: that of vfork.
int rt_enf_forked(uint32_t thread);
int rt_enf_vforked(uint32_t thread, int result);
// The thread has done all that the schedule knows of it, for the process ended then, or it was cancelled: it
// waits for that, as what it would do next never was. stay comes back when the run becomes free.
noreturn void rt_enf_rest(const RtEdge *e);
void rt_enf_stay(const RtEdge *e);
// Calls through a pointer: stop or leave with the place where it went elsewhere. e->seen says what was
// expected.
noreturn void rt_enf_stop_call(const RtEdge *e, const void *target);
void rt_enf_leave_call(const RtEdge *e, const void *target);
// What a thread has published: where a jump back to setjmp goes on; RT_NONE32 when the run is free. Jumps,
// and calls that they may leave, are events of their thread alone.
uint32_t rt_enf_position(uint32_t thread);
void rt_enf_jump(const RtNode *n);
void rt_enf_call(const RtNode *n);
// Around an operation without a function of its own here (unmodelled).
void rt_enf_before(const RtNode *n, const void *object);
void rt_enf_after(const RtNode *n);
void rt_enf_cancelled(void);  // behind an event that ended so
// In builds that test the facts they use: ends the process with status 4 if one does not hold.
void rt_enf_fact(int holds, const char *what);

// 2. Synchronization.
int rt_enf_pthread_create(const RtNode *, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int rt_enf_pthread_join(const RtNode *, pthread_t, void **);
int rt_enf_pthread_tryjoin_np(const RtNode *, pthread_t, void **);
int rt_enf_pthread_timedjoin_np(const RtNode *, pthread_t, void **, const struct timespec *);
int rt_enf_pthread_clockjoin_np(const RtNode *, pthread_t, void **, clockid_t, const struct timespec *);
int rt_enf_pthread_detach(const RtNode *, pthread_t);
int rt_enf_pthread_cancel(const RtNode *, pthread_t);
void rt_enf_pthread_testcancel(const RtNode *);
noreturn void rt_enf_pthread_exit(const RtNode *, void *);  // the node is that of the thread's exit
int rt_enf_pthread_mutex_lock(const RtNode *, pthread_mutex_t *);
int rt_enf_pthread_mutex_trylock(const RtNode *, pthread_mutex_t *);
int rt_enf_pthread_mutex_timedlock(const RtNode *, pthread_mutex_t *, const struct timespec *);
int rt_enf_pthread_mutex_clocklock(const RtNode *, pthread_mutex_t *, clockid_t, const struct timespec *);
int rt_enf_pthread_mutex_unlock(const RtNode *, pthread_mutex_t *);
int rt_enf_pthread_spin_lock(const RtNode *, pthread_spinlock_t *);
int rt_enf_pthread_spin_trylock(const RtNode *, pthread_spinlock_t *);
int rt_enf_pthread_spin_unlock(const RtNode *, pthread_spinlock_t *);
int rt_enf_pthread_rwlock_rdlock(const RtNode *, pthread_rwlock_t *);
int rt_enf_pthread_rwlock_tryrdlock(const RtNode *, pthread_rwlock_t *);
int rt_enf_pthread_rwlock_timedrdlock(const RtNode *, pthread_rwlock_t *, const struct timespec *);
int rt_enf_pthread_rwlock_clockrdlock(const RtNode *, pthread_rwlock_t *, clockid_t, const struct timespec *);
int rt_enf_pthread_rwlock_wrlock(const RtNode *, pthread_rwlock_t *);
int rt_enf_pthread_rwlock_trywrlock(const RtNode *, pthread_rwlock_t *);
int rt_enf_pthread_rwlock_timedwrlock(const RtNode *, pthread_rwlock_t *, const struct timespec *);
int rt_enf_pthread_rwlock_clockwrlock(const RtNode *, pthread_rwlock_t *, clockid_t, const struct timespec *);
int rt_enf_pthread_rwlock_unlock(const RtNode *, pthread_rwlock_t *);
int rt_enf_pthread_cond_wait(const RtNode *, pthread_cond_t *, pthread_mutex_t *);
int rt_enf_pthread_cond_timedwait(const RtNode *, pthread_cond_t *, pthread_mutex_t *,
                                  const struct timespec *);
int rt_enf_pthread_cond_clockwait(const RtNode *, pthread_cond_t *, pthread_mutex_t *, clockid_t,
                                  const struct timespec *);
int rt_enf_pthread_cond_signal(const RtNode *, pthread_cond_t *);
int rt_enf_pthread_cond_broadcast(const RtNode *, pthread_cond_t *);
int rt_enf_pthread_barrier_wait(const RtNode *, pthread_barrier_t *);
int rt_enf_sem_wait(const RtNode *, sem_t *);
int rt_enf_sem_trywait(const RtNode *, sem_t *);
int rt_enf_sem_timedwait(const RtNode *, sem_t *, const struct timespec *);
int rt_enf_sem_clockwait(const RtNode *, sem_t *, clockid_t, const struct timespec *);
int rt_enf_sem_post(const RtNode *, sem_t *);
int rt_enf_pthread_once(const RtNode *, pthread_once_t *, void (*)(void));
void rt_enf_call_once(const RtNode *, once_flag *, void (*)(void));
int rt_enf_thrd_create(const RtNode *, thrd_t *, thrd_start_t, void *);
int rt_enf_thrd_join(const RtNode *, thrd_t, int *);
int rt_enf_thrd_detach(const RtNode *, thrd_t);
noreturn void rt_enf_thrd_exit(const RtNode *, int);
int rt_enf_mtx_lock(const RtNode *, mtx_t *);
int rt_enf_mtx_trylock(const RtNode *, mtx_t *);
int rt_enf_mtx_timedlock(const RtNode *, mtx_t *, const struct timespec *);
int rt_enf_mtx_unlock(const RtNode *, mtx_t *);
int rt_enf_cnd_wait(const RtNode *, cnd_t *, mtx_t *);
int rt_enf_cnd_timedwait(const RtNode *, cnd_t *, mtx_t *, const struct timespec *);
int rt_enf_cnd_signal(const RtNode *, cnd_t *);
int rt_enf_cnd_broadcast(const RtNode *, cnd_t *);

// C++: objects are passed as the addresses that they are in the Itanium ABI.
void rt_enf__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    const RtNode *, pthread_t *self, void **state, void (*depend)(void));
void rt_enf__ZNSt6thread4joinEv(const RtNode *, pthread_t *self);
void rt_enf__ZNSt6thread6detachEv(const RtNode *, pthread_t *self);
void rt_enf__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(const RtNode *, void *self,
                                                                      void **lock);
void rt_enf__ZNSt18condition_variable10notify_oneEv(const RtNode *, void *self);
void rt_enf__ZNSt18condition_variable10notify_allEv(const RtNode *, void *self);
int rt_enf___cxa_guard_acquire(const RtNode *, void *guard);
void rt_enf___cxa_guard_release(const RtNode *, void *guard);
void rt_enf___cxa_guard_abort(const RtNode *, void *guard);

// Waits for a futex, without a time, in programs whose atomic operations are held to their order.
long rt_enf_futex_wait(long number, void *word, long op, long value, void *until, void *other, long mask);
bool rt_enf_futex_wait_until(void *self, uint32_t *word, uint32_t value, bool timed);

// Atomic instructions (ir/atomics).
#define RT_ATOMIC_HOOKS(size, type, bytes)                                                          \
  type rt_enf_specialize_atomic_load_##size(const RtNode *, volatile void *, uint32_t how);         \
  void rt_enf_specialize_atomic_store_##size(const RtNode *, volatile void *, type, uint32_t how);  \
  void rt_enf_specialize_atomic_waited_##size(const RtNode *, volatile void *, type, uint32_t how); \
  type rt_enf_specialize_atomic_rmw_##size(const RtNode *, volatile void *, type, uint32_t how);    \
  type rt_enf_specialize_atomic_cas_##size(const RtNode *, volatile void *, type expected, type,    \
                                           uint32_t how);
RT_ATOMIC_SIZES(RT_ATOMIC_HOOKS)
#undef RT_ATOMIC_HOOKS
void rt_enf_specialize_atomic_await(const RtNode *, uint32_t how);
void rt_enf_specialize_atomic_fence(const RtNode *, uint32_t how);

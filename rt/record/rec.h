// rt/record/rec -- what the files of the recorder share; nobody else includes this.
//
// How the order is kept without a global lock: each object has a Cell, found by its address, with a sequence
// number in it. A number is taken while the operation itself excludes all others on the object (a lock: after
// it is taken, before it is given back), so that plain loads and stores do; where an operation excludes
// nobody (conditions, semaphores, barriers, readers) it is one atomic addition, before the real operation if
// that releases, after it if that acquires.
//
// What releases is also written down before it is done. So when a thread is killed between a number and its
// entry, nothing in the recording can follow from that operation, and the reader may skip the number.
//
// All memory of the recorder is wiped by the kernel in a forked child (MADV_WIPEONFORK), however it was
// forked: `on` is 0 then, and the next hook starts a recording of its own. Nothing here is ever freed but the
// threads; hooks never call malloc.
#pragma once
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>
#include "rt/codec.h"
#include "rt/record.h"
#include "rt/shape.h"
#include "rt/stand.h"

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define HIDDEN __attribute__((visibility("hidden")))
// A signal handler on the same thread sees what is before this in program order.
#define handler_fence() atomic_signal_fence(memory_order_seq_cst)

enum {
  REC_TRIES_FEW = 32,
  REC_TRIES = 20000,
  REC_CACHE = 256,
  REC_DEFERRED = 64,
  REC_SEEN = 4096,
  REC_PAGE = 65536
};

typedef struct Cell {
  _Atomic uint64_t key;  // address, and kind in the top byte
  struct Cell *_Atomic next;
  // The high half is the next number, the low half how often the object is held (mutex, spin lock), or by how
  // many readers or the CELL_WRITER (rwlock), or what it is worth (semaphore), or how many threads are
  // between arrival and departure (condition, barrier).
  _Atomic uint64_t word;
  _Atomic uint32_t id;     // 0: destroyed, or never initialized
  _Atomic uint32_t owner;  // thread + 1. Of a thread's name: the thread + 1
  _Atomic uint32_t value;  // as in its OBJECT entry
  _Atomic uint32_t doubt;  // code without hooks seems to use it
} __attribute__((aligned(64))) Cell;
#define CELL_ONE (UINT64_C(1) << 32)
#define CELL_WRITER UINT32_C(0x80000000)

typedef struct {
  unsigned char *at, *limit;  // no entry starts behind limit
  RtSegment *segment;
  uint32_t index;  // of the next segment
  uint32_t size;   // of this one
  uint64_t bytes;  // in those before
} Stream;

typedef struct RtThread {
  uint32_t on;      // 0: not recording; in a forked child too; else what delay_on says
  uint32_t delays;  // what the last one was drawn from
  bool lent;        // to the child of vfork, which has our memory; `on` is 0 as long
  bool busy;        // an entry is being written
  bool set_aside;   // `on` is 0 as long
  bool unwinding;   // it was cancelled, and told so
  bool creating;    // a thread, for the program
  bool pending;     // handlers have left some in `later`
  uint32_t run;     // how many entries the last byte stands for, 0 if it is something else
  uint32_t blind;   // entries go nowhere, numbers are taken
  uint64_t left;    // entries until the limit must be asked again
  uint64_t granted;
  Stream log, path;
  uint32_t id;
  _Atomic uint32_t deferred;  // how many handlers left in `later`
  uint32_t drained;           // and how many of them are written
  uint32_t rounds;            // of key destructors
  void *stack;                // for signals; survives when the memory is used again
  RtStand *stand;             // where it waits; survives too. NULL: there are too many
  uint32_t depth;             // calls that are open
  uint32_t how, exit_site;    // how it ends, for EXIT
  uint32_t inputs;            // classes that it has read from
  struct {
    Cell *cell;     // that the last round of a loop read; NULL: none
    uint64_t word;  // as it was then
    uint32_t site;  // where the loop began
    uint32_t changed;
    uint64_t now;  // what it wrote, if it did
  } spin;
  uint64_t fds;  // numbers below 64 that it has read from
  uint32_t branch, path_run;
  Cell *cells[REC_CACHE];
  Cell none;
  Code later[REC_DEFERRED];
  Codec codec;
  uint32_t branches[CODEC_SLOTS];
  unsigned char scratch[256];
  // From the creator to the trampoline.
  uint32_t parent, site;
  bool masked;  // it starts with all signals blocked, and is to have these
  sigset_t mask;
  union {
    void *(*posix)(void *);
    thrd_start_t c11;
    void **state;
  } start;
  void *argument;
  void *cxx_state;  // a table of virtual functions, see cxx.c
  uint64_t address;
  _Atomic uint32_t go;
  struct RtThread *next;  // of those that may be used again
} RtThread;

// A set that several threads add to.
typedef struct {
  _Atomic uint64_t at[REC_SEEN];
} Seen;

// What all threads share. In wiped memory.
typedef struct {
  uint32_t live;
  _Atomic uint32_t lock;  // of `spare` and of starting in a child; signals are blocked while it is held
  _Atomic uint32_t notes_cut;
  _Atomic uint32_t fed;  // 1 while standard input is exchanged, 2 afterwards
  RtProcess *process;
  RtStand *stands;  // RT_STANDS; NULL: the file could not be made
  _Atomic uint32_t stands_used;
  RtThread *spare;
  _Atomic uint32_t threads, objects;
  _Atomic uint64_t events;  // granted to threads
  uint64_t most;            // of these
  bool timed;               // entries have times: the order of all of them is wanted
  _Atomic uint32_t time;
  _Atomic uint32_t cells;
  _Atomic uint32_t cells_most;
  _Atomic uint32_t cells_ready;
  _Atomic uint64_t pages[512];  // by hash: pages that atomic operations use, a bit each
  char directory[512];
  Seen names, files, outside;  // noted already: answered by getenv, opened, called from
  Cell *_Atomic buckets[1 << 16];
} __attribute__((aligned(REC_PAGE))) Recorder;  // the cells lie behind it

extern HIDDEN Recorder *rec;  // NULL: no recording is wanted
extern HIDDEN _Thread_local RtThread *rec_self __attribute__((tls_model("initial-exec")));
extern HIDDEN RtThread rec_nobody[2];  // before a thread is known, after its end

enum { REC_ON = 1, REC_DELAYED = 2 };
// delay.c
HIDDEN void delay_start(void);
HIDDEN uint32_t delay_on(void);  // REC_ON, or REC_DELAYED
HIDDEN void delay(RtThread *t);
// run.c
HIDDEN RtThread *rec_enter_slow(void);  // NULL: do not record
HIDDEN bool rec_is_outside(void);       // in what the C library calls as its own
HIDDEN void rec_why(RtWhy why, int error);
HIDDEN void rec_end(RtSite site, int status);
// thread.c
HIDDEN RtThread *thread_new(RtThread *wiped);  // NULL: no memory
HIDDEN void thread_begin(RtThread *t);
HIDDEN int thread_key_make(void);
HIDDEN void thread_stands_make(void);
// Blocks all signals, which thread_created undoes: a handler must not run in the child before it is known.
HIDDEN RtThread *thread_child(RtThread *t, RtSite site, uint64_t address, void *argument);
HIDDEN void thread_created(RtThread *t, RtThread *child, RtSite site, int outcome, const pthread_t *name,
                           bool detached);
HIDDEN void thread_child_begin(RtThread *t);
typedef struct {
  RtThread *t;
  Cell *name;
  uint32_t child;  // + 1; 0: not known
  RtSite site;
  int outcome;  // unwound, unless the caller says otherwise
} Joining;
HIDDEN Joining joining(RtSite site, pthread_t id);
HIDDEN void joining_end(Joining *j);
HIDDEN void joining_stand(const Joining *j);  // it may wait without end
HIDDEN Joining detaching(RtSite site, pthread_t id);
HIDDEN void detaching_end(Joining *d);
#define JOINING(j, site, id) __attribute__((cleanup(joining_end))) Joining j = joining(site, id)
#define DETACHING(d, site, id) __attribute__((cleanup(detaching_end))) Joining d = detaching(site, id)
// file.c
HIDDEN void rec_input(RtThread *t, RtSite site, uint32_t class);  // once of each class
HIDDEN void *rec_map_new(const char *file, uint32_t size);        // NULL and errno
HIDDEN void *rec_memory(size_t size);                             // wiped in a forked child
HIDDEN void note_add(RtNoteKind kind, const struct iovec *text, int n);
HIDDEN void note_start(int argc, char **argv);
// input.c
HIDDEN bool seen_first(Seen *set, uint64_t hash);  // when the set is full also later
HIDDEN void input_start(void);
// outside.c
HIDDEN void outside_start(void);
// log.c
HIDDEN void log_append(RtThread *t, RtEntry e);
HIDDEN void log_rest(RtThread *t, bool was, Code e);  // of log_held
HIDDEN void log_drain(RtThread *t);
HIDDEN void log_close(RtThread *t);
// cell.c
HIDDEN Cell *cell_find(RtThread *t, uint64_t key);
HIDDEN Cell *cell_known(uint64_t key);  // NULL: there is none
HIDDEN uint32_t cell_name(RtThread *t, Cell *c);
HIDDEN void cell_begin(RtThread *t, Cell *c, RtSite site, uint32_t value);
HIDDEN void cell_drain(Cell *c);  // conditions and barriers, before cell_end
HIDDEN void cell_end(RtThread *t, Cell *c, RtSite site);
// mutex.c
HIDDEN bool mutex_release(RtThread *t, RtSite site, pthread_mutex_t *m);
HIDDEN void mutex_reacquire(RtThread *t, RtSite site, pthread_mutex_t *m, bool mine, int outcome);
// cond.c
typedef struct {
  RtThread *t;
  Cell *c;
  uint32_t id, seq;
  RtSite site;
  RtOp op;
} Waking;
HIDDEN Waking waking(RtSite site, RtOp op, const void *c);
HIDDEN void woken(Waking w, int outcome);
HIDDEN void cond_wait_with(RtSite site, void *c, pthread_mutex_t *m, void (*real)(void *, void **),
                           void **lock);
HIDDEN void cond_init(RtSite site, const void *c);
HIDDEN void cond_destroy(RtSite site, const void *c);
// once.c
HIDDEN void once_begin(RtThread *t, Cell *c, RtSite site);
HIDDEN void once_end(RtThread *t, Cell *c, RtSite site, bool done);
HIDDEN void once_passed(RtThread *t, Cell *c, RtSite site, uint64_t before);
// crash.c
HIDDEN void crash_catch(void);
HIDDEN void crash_stack(RtThread *t);
HIDDEN void crash_stack_off(RtThread *t);

static inline void rec_block(sigset_t *old) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, old);
}
static inline void rec_unblock(const sigset_t *old) {
  pthread_sigmask(SIG_SETMASK, old, NULL);
}
// Requires signals to be blocked.
static inline void rec_lock(void) {
  while (atomic_exchange_explicit(&rec->lock, 1, memory_order_acquire)) sched_yield();
}
static inline void rec_unlock(void) {
  atomic_store_explicit(&rec->lock, 0, memory_order_release);
}

// Every hook begins with this; NULL: only do the real thing.
static inline RtThread *rec_enter(void) {
  RtThread *t = rec_self;
  return likely(t->on == REC_ON) ? t : rec_enter_slow();
}

static inline Cell *cell_of(RtThread *t, const void *object, RtKind kind) {
  uint64_t address = (uintptr_t)object, key = address | (uint64_t)kind << 56;
  Cell *c = t->cells[(address >> 3 ^ address >> 11) % REC_CACHE];
  return likely(c && atomic_load_explicit(&c->key, memory_order_relaxed) == key) ? c : cell_find(t, key);
}
static inline uint64_t cell_word(Cell *c) {
  return atomic_load_explicit(&c->word, memory_order_relaxed);
}
// Not moved before or behind a real operation.
static inline uint64_t cell_look(Cell *c) {
  atomic_thread_fence(memory_order_seq_cst);
  return atomic_load_explicit(&c->word, memory_order_acquire);
}
// Around what may wait without end (rt/stand.h).
static inline void rec_stand(RtThread *t, RtStandKind as, RtSite site, uint32_t id, RtKind kind,
                             const void *object) {
  if (!t->stand) return;
  t->stand->more = shape_is_shared(kind, object);
  stand_begin(t->stand, as, site, id);
}
static inline void rec_go_on(RtThread *t) {
  if (t->stand) stand_end(t->stand);
}
// For who excludes all others.
static inline uint64_t cell_advance(Cell *c, uint64_t by) {
  uint64_t w = cell_word(c);
  atomic_store_explicit(&c->word, w + by, memory_order_relaxed);
  return w;
}
// For who does not.
static inline uint64_t cell_add(Cell *c, uint64_t by) {
  return atomic_fetch_add_explicit(&c->word, by, memory_order_seq_cst);
}
static inline uint32_t cell_id(RtThread *t, Cell *c) {
  uint32_t id = atomic_load_explicit(&c->id, memory_order_relaxed);
  return likely(id) ? id : cell_name(t, c);
}
static inline uint32_t cell_owner(Cell *c) {
  return atomic_load_explicit(&c->owner, memory_order_relaxed);
}
static inline void cell_own(Cell *c, uint32_t owner) {
  atomic_store_explicit(&c->owner, owner, memory_order_relaxed);
}

// A number and its entry are one step for the handlers of signals that run in this thread: what they do comes
// behind it in the log, because it does so in the numbers. Between hold and held (or drop) nothing may block,
// and nothing else be logged. Hold says whether it was held already: then this is such a handler.
static inline bool log_hold(RtThread *t) {
  bool was = t->busy;
  t->busy = true;
  handler_fence();
  if (unlikely(t->pending) && !was) log_drain(t);
  return was;
}
static inline void log_drop(RtThread *t, bool was) {
  handler_fence();
  t->busy = was;
}

// What comes again and again is counted right here. (A number below its base gives a `what` that no guess
// equals.)
static inline void log_held(RtThread *t, bool was, Code e) {
  Codec *c = &t->codec;
  Code g = code_op(e) == RT_RET ? codec_guess(c) : c->slots[c->context];
  uint32_t run = t->run;
  if (unlikely(was || t->pending || e.who != g.who || e.what - codec_base(c, e) != g.what ||
               run - 1 >= CODEC_RUN - 1)) {
    log_rest(t, was, e);
    return;
  }
  t->run = ++run;
  t->log.at[-1] = (unsigned char)run;
  codec_next(c, e);
  handler_fence();
  t->busy = false;
}

static inline Code code_number(RtSite site, uint32_t id, uint64_t word, RtOp op, int outcome,
                               unsigned extra) {
  uint32_t tail = op | (uint32_t)outcome << 8 | extra << 16;
  return (Code){site | (uint64_t)id << 32, word >> 32 | (uint64_t)tail << 32};
}
static inline void log_plain(RtThread *t, RtSite site, RtOp op, uint32_t object, int outcome) {
  bool was = log_hold(t);
  log_held(t, was, code_number(site, object, 0, op, outcome, 0));
}
// With the next number, of an object that this operation does not keep others from.
static inline uint64_t log_add(RtThread *t, RtSite site, RtOp op, Cell *c, uint64_t by, int outcome) {
  uint32_t id = cell_id(t, c);
  bool was = log_hold(t);
  uint64_t w = cell_add(c, by);
  log_held(t, was, code_number(site, id, w, op, outcome, 0));
  return w;
}
// Something that changed nothing: after all that was numbered before it.
static inline void log_loose(RtThread *t, RtSite site, RtOp op, Cell *c, int outcome, unsigned extra) {
  uint32_t id = cell_id(t, c);
  bool was = log_hold(t);
  log_held(t, was, code_number(site, id, cell_look(c), op, outcome, RT_LOOSE | extra));
}

// After an attempt, held, that was refused though no number tells why: whether to try again; drops it then.
// Mostly another thread has lost its processor between number and operation. In a handler it may be this very
// thread.
static inline bool log_again(RtThread *t, bool was, Cell *c, int tries) {
  bool doubt = atomic_load_explicit(&c->doubt, memory_order_relaxed);
  if (!was && tries < (doubt ? REC_TRIES_FEW : REC_TRIES)) {
    log_drop(t, was);
    sched_yield();
    return true;
  }
  atomic_store_explicit(&c->doubt, 1, memory_order_relaxed);
  return false;
}
static inline int outcome_of_error(int e) {
  return e >= 0 && e < 200 ? e : RT_FAILED;
}
HIDDEN int outcome_of_thrd(int r);

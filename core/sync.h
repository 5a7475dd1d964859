// core/sync -- what the functions that synchronize threads do: one row each of syncs.def, read-only, in the
// order of their names. Knows names only; ir/call finds the row of a call instruction.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef enum {
#define KIND(id, word, events, order) SYNC_##id,
#include "syncs.def"
  SYNC_KINDS
} SyncKind;

// Bits: one operation may end in several of them. After SYNC_DONE it has happened; a wait that timed out has
// not, but has its mutex back.
typedef enum {
#define OUTCOME(id, word, bit, error, thrd) SYNC_##id = 1 << (bit),
#include "syncs.def"
  SYNC_DONE = SYNC_OK | SYNC_RAN | SYNC_SERIAL | SYNC_OWNERDEAD
} SyncOutcome;

typedef enum {
  SYNC_THREAD,
  SYNC_MUTEX,
  SYNC_RWLOCK,
  SYNC_SPIN,
  SYNC_COND,
  SYNC_BARRIER_OBJECT,
  SYNC_SEMAPHORE,
  SYNC_ONCE_FLAG,
  SYNC_CELL,  // eight aligned bytes that atomic operations use
  SYNC_FUTEX
} SyncFamily;

typedef enum { SYNC_AT_ONCE, SYNC_TRY, SYNC_TIMED, SYNC_BLOCKS } SyncWaiting;

// How the outcome shows: not at all (an error is thrown, or undefined); never returns; 0 or an error number,
// or a barrier's -1; 0, or -1 and errno; a count, or -1 and errno; a pointer, or null and errno; thrd_success
// ...; 1 for the thread that must initialize; true for woken; a value that is no outcome.
typedef enum {
  SYNC_RETURNS_NOTHING,
  SYNC_RETURNS_NEVER,
  SYNC_RETURNS_ERROR,
  SYNC_RETURNS_ERRNO,
  SYNC_RETURNS_COUNT,
  SYNC_RETURNS_POINTER,
  SYNC_RETURNS_THRD,
  SYNC_RETURNS_FIRST,
  SYNC_RETURNS_WOKEN,
  SYNC_RETURNS_VALUE
} SyncResult;

typedef enum { SYNC_IN_LIBC, SYNC_IN_LIBSTDCXX, SYNC_IN_KERNEL, SYNC_IN_CODE } SyncHome;

// Where an operand is: the argument itself (a pointer to the object, or a pthread_t); the word that the
// argument points to; slot 2 of the vtable of the object that this word points to; what the call returns.
typedef enum { SYNC_ABSENT, SYNC_VALUE, SYNC_LOADED, SYNC_VIRTUAL, SYNC_RESULT } SyncPlace;
typedef struct {
  SyncPlace place;
  unsigned arg;
} SyncArg;

enum { SYNC_ACQUIRES = 1, SYNC_RELEASES = 2 };

typedef struct {
  const char *name;
  SyncHome home;
  SyncFamily family;
  SyncKind kind;
  SyncWaiting waiting;
  SyncResult result;
  unsigned outcomes;  // of SyncOutcome. SYNC_RAN of pthread_once does not show in its result
  SyncArg object;     // the new thread of a create has none before: see id
  SyncArg mutex;      // of a condition wait
  SyncArg id;         // create: where the thread's id is stored
  SyncArg start;      // create: what the thread runs. once: the routine
  SyncArg argument;   // create: what it is given
  SyncArg value;      // exit: the thread's result. join: where the result is stored
  unsigned args;      // a call with fewer arguments is not this operation
  bool cancels;       // a cancellation point
} Sync;

const Sync *sync_find(const char *name);  // NULL: not a sync operation
size_t sync_count(void);
const Sync *sync_at(size_t i);
void sync_check(void);  // asserts that the tables are whole

// Per kind. Events: 0 is in the table to be recognised and is no event of a schedule (it orders nothing, or
// orders through memory that the program reads itself); 2 is arrive and depart.
const char *sync_word(SyncKind kind);
unsigned sync_events(SyncKind kind);

// Between an outcome and what the caller sees. False: this operation has no such outcome, or it does not
// show.
const char *sync_outcome_word(SyncOutcome outcome);
int sync_error_of_outcome(SyncOutcome outcome);  // as its row says
SyncOutcome sync_outcome_of_error(int error);    // 0: OK; FAILED if it has no row
bool sync_outcome_of(const Sync *s, long result, int error, SyncOutcome *outcome);
bool sync_result_of(const Sync *s, SyncOutcome outcome, long *result, int *error);

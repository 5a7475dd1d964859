// sigma/event -- one step of a schedule, and what events of each kind look like.
#pragma once
#include <stdbool.h>
#include "core/core.h"

#define SIGMA_NONE UINT32_MAX

// Kinds of events: SyncKind, and these. CALL is a derived sync; RET and UNWIND leave it. CALLBACK: code that
// is not in the module, called by the innermost CALL or run at the start or end of the thread, calls a
// function that is; it is left when that code goes on: by the next CALLBACK, RET, UNWIND or EXIT there.
// ACCESS: a thread is about to touch memory; two of them end the schedule of a witness (docs/sigma.md §2).
// JUMP: setjmp comes back once more, as longjmp or the end of a cancelled thread wants it; calls that were
// open have been left by UNWIND.
enum {
  EVENT_CALL = SYNC_KINDS,
  EVENT_RET,
  EVENT_UNWIND,
  EVENT_CALLBACK,
  EVENT_ACCESS,
  EVENT_JUMP,
  EVENT_KINDS
};
// Condition waits and barriers are two events. A wait that fails at once is an ARRIVE with an outcome, no
// more.
typedef enum { EVENT_WHOLE, EVENT_ARRIVE, EVENT_DEPART } EventPhase;
// Why a condition wait with outcome SYNC_OK departs. CANCELLED is also how other events end that wait. Which
// signal woke it follows from the order: sigma/order. ENDED: an exit, by which code outside ends the process.
// ANEW: what an atomic operation read was written by no event, since the last one.
typedef enum { EVENT_WOKEN, EVENT_SPURIOUS, EVENT_CANCELLED, EVENT_ENDED, EVENT_ANEW } EventWake;

typedef struct {
  uint32_t thread;
  uint32_t site;    // SIGMA_NONE: entry of a thread, return from its routine
  uint32_t object;  // SIGMA_NONE: it has none
  uint32_t other;  // of a wait: its mutex. create, join, detach, cancel: the thread. enter, callback: text of
                   // the function. access: which. atomic, fence: text of what it did. Else SIGMA_NONE
  uint32_t line;   // in the file; 0 if it was not read
  uint16_t outcome;  // SyncOutcome
  uint8_t kind;
  uint8_t phase : 4, wake : 4;
} Event;
Event event_of(uint32_t thread, int kind, uint32_t site);  // outcome SYNC_OK, no object

// Which operands events of a kind have.
enum {
  EVENT_HAS_SITE = 1,       // always
  EVENT_MAY_SITE = 2,       // exit: the call that ends the thread, if it does not return from its routine
  EVENT_HAS_OBJECT = 4,     // always
  EVENT_MAY_OBJECT = 8,     // unmodelled
  EVENT_HAS_MUTEX = 16,     // other is an object
  EVENT_MAY_THREAD = 32,    // other is a thread; failed operations may name none
  EVENT_HAS_FUNCTION = 64,  // other is the text of a function
  EVENT_HAS_ACCESS = 128,   // other is a SigmaAccess
  EVENT_HAS_EFFECT = 256,   // other is the text of an AtomicEffect
};
// It may end by the cancellation of its thread: then it did nothing.
bool event_may_be_cancelled(const Event *e);
// A thread may wait in it without end.
bool event_may_stand(const Event *e);
unsigned event_shape(int kind);
const char *event_word(int kind);                      // without -arrive and -depart
unsigned event_count(int kind);                        // 0: never in a schedule; 2: arrives and departs
unsigned event_outcomes(SyncFamily family, int kind);  // SyncOutcome bits; 0: no such operation
char family_letter(SyncFamily family);                 // of m0; 0: threads have other names
const char *family_word(SyncFamily family);
void event_tables_check(void);  // asserts that shapes, words and core/syncs.def agree

// rt/roll/rolls -- what the files of the rolled runtime share; nobody else includes this. It stands in front
// of rt/enforce, whose files are in the same library.
//
// Each hook: roll_take gives the thread's next node, or NULL: then only the real thing is to be done. What is
// done with a node is rt/enforce's. A thread's cursor is its own, and so is the ring that it decodes into: a
// node is good until the thread takes one that is not in the ring yet.
#pragma once
#include "rt/enforce/enf.h"
#include "rt/record.h"
#include "rt/roll.h"

enum { ROLL_AHEAD = 32 };  // events that are decoded at once

typedef struct {
  uint32_t site, stack;
  // An RtNode stands behind it, then its waits.
} RollSlot;
static inline const RtNode *roll_node(const RollSlot *s) {
  return (const RtNode *)(const void *)(s + 1);
}

typedef struct {
  _Atomic(const RollSlot *) next;
  const RollSlot *end;              // of what is decoded
  const RollSlot *kept;             // next, while the thread is set aside
  RollSlot *ring;                   // NULL: not open yet
  uint32_t thread, position, last;  // the first that is not decoded, and where that ends
  RolledReader reader;
} RollCursor;

typedef struct {
  const RtRolled *table;  // NULL: no schedule
  size_t stride;          // from slot to slot
  RollCursor *cursors;    // by thread
} Roll;
extern HIDDEN Roll roll;
extern HIDDEN _Thread_local RollCursor *roll_self __attribute__((tls_model("initial-exec")));

// What is seen there instead of the next event: where the fast path does not apply.
HIDDEN const RtNode *roll_take_slow(RtSite site, const char *name);

static inline const RollSlot *roll_after(const RollSlot *s) {
  return (const RollSlot *)(const void *)((const char *)s + roll.stride);
}

// name: of the function, for messages.
RT_INLINE const RtNode *roll_take(RtSite site, const char *name) {
  RollCursor *c = roll_self;
  if (RT_UNLIKELY(!c)) return roll_take_slow(site, name);
  const RollSlot *s = atomic_load_explicit(&c->next, memory_order_relaxed);
  if (RT_UNLIKELY(s == c->end || s->site != site || s->stack != rt_roll_stack))
    return roll_take_slow(site, name);
  atomic_store_explicit(&c->next, roll_after(s), memory_order_relaxed);
  return roll_node(s);
}

// True: the thread was cancelled there. It is now, or the run is free; then the program's own call is to be
// made.
HIDDEN void roll_cancel(const RtNode *n);
RT_INLINE bool roll_cancelled(const RtNode *n) {
  if (RT_LIKELY(n->outcome != RT_ENF_CANCELLED)) return false;
  roll_cancel(n);
  return true;
}

// cursor.c
HIDDEN const RollSlot *roll_next(RollCursor *c);  // decoded; NULL: there is none
HIDDEN void roll_pass(const RtNode *n);           // a departure, with its arrival
HIDDEN RollCursor *roll_open(void);               // of this thread, if a schedule holds it; NULL
HIDDEN void roll_set_aside(void);                 // until roll_go_on: nothing of this thread is an event
HIDDEN void roll_go_on(void);
HIDDEN void roll_left(const RtNode *n, RtSite site, const char *name);
// schedule.c: as rt/enforce reads it. NULL: there is not enough memory.
HIDDEN const RtSchedule *roll_schedule(const RtRolled *r);

// sigma/held -- the locks that each thread holds, followed through the events of a schedule: mutexes, both
// sides of rwlocks, spin locks. A condition wait gives its mutex back until it departs.
#pragma once
#include "model.h"

typedef struct {
  uint32_t object;
  uint32_t since;  // the event that took it, the first of a recursive mutex
  uint32_t depth;
  bool shared;  // for reading
} HeldLock;
typedef Vec(HeldLock) HeldLocks;

typedef struct Holders Holders;
Holders *held_new(const Schedule *c);  // nothing is held
void held_free(Holders *h);
void held_pass(Holders *h, uint32_t event);                   // in the order of the schedule
const HeldLocks *held_by(const Holders *h, uint32_t thread);  // in the order in which they were taken
const HeldLock *held_as(const Holders *h, uint32_t thread, uint32_t object);  // NULL: it does not hold it
bool held_takes(const Event *e,
                uint32_t *object);  // whether the event takes a lock, also at the end of a wait
bool held_leaves(const Event *e, uint32_t *object);  // gives one back
// Whether a lock taken in one way keeps others from taking it in the other.
static inline bool held_conflict(bool shared, bool other_shared) {
  return !shared || !other_shared;
}

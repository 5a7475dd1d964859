// deadlock/cycles -- rings of threads, each of which wants what the next one has.
#pragma once
#include "wishes.h"

// The i-th wish wants what the next has as its hold[i]; the last one wants what the first has.
typedef struct {
  uint32_t wish, hold;  // hold: of the wish itself, for which the one before it waits
} CycleStep;
typedef Vec(CycleStep) Cycle;

typedef void CycleFound(void *who, const Cycle *c);
// Shorter ones first. Wishes of different threads, no two of which have a gate in common. False: a limit
// ended the search, or the user did.
typedef struct {
  const Wishes *wishes;
  CycleFound *found;
  void *who;
  bool (*stop)(void);
  uint64_t limit;  // of steps
  uint64_t steps;  // of the search, in all
} CycleSearch;
bool cycles_find(CycleSearch *s);

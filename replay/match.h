// replay/match -- where what two threads touched is the same memory.
#pragma once
#include <stdbool.h>
#include "rt/rt.h"

typedef struct {
  uint64_t occurrence[2];  // of the two sides
  uint64_t low, high;      // what both touch
  bool cut;                // not all was compared
  bool ordered;            // something that orders memory may have ordered the two, see replay_match
} ReplayMatch;

// The first that is found, one that nothing orders if there is such: whichever may have come first released
// nothing behind its access, or the other acquired nothing before its own. False: no byte is touched by both.
bool replay_match(const RtReplay *table, ReplayMatch *out);

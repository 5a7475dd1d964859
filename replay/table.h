// replay/table -- a witness as the runtime reads it (rt/replay.h).
#pragma once
#include "rt/rt.h"
#include "record/record.h"

// What the numbers in the program mean.
typedef struct {
  const Sites *sites;
  const InstrumentAccess *accesses;
  size_t access_count;
} ReplayNames;

uint32_t replay_access(const ReplayNames *n, const char *name, bool writes);  // UINT32_MAX: none
// Of a schedule; of a witness with its accesses. Mode and wishes are still to be filled in. NULL after an
// error.
RtReplay *replay_table(const ReplayNames *n, const Sigma *s, uint32_t schedule, Diags *diags);
bool replay_is_listed(const Event *e);  // it has a place in the list

// record/exclude -- leaving objects out of all schedules of a Σ: their operations become ordinary code.
//
// Only mutexes and spin locks that are taken by plain locks only, and are never that of a condition wait;
// while one is held there is no event and no call that may wait. What is locked at the same place is left out
// together, because a place is either an event or ordinary code. Calls that were in schedules only because of
// such operations go too. Those without a name are called by a site that locks them.
#pragma once
#include "import.h"

typedef struct Exclude {
  Vec(SigmaExclusion) wanted;  // name: a text of the Σ
  uint32_t
      most;  // leave out the busiest until a schedule has no more events; SIGMA_NONE: only what is wanted
} Exclude;

// "auto", "auto:N", or a file of lines `mutex NAME` or `spin NAME`. False after an error.
bool exclude_read(Sigma *s, const char *from, Exclude *out, Diags *diags);
void exclude_free(Exclude *e);
// Also applies what s excludes already to schedules that were added since. What is wanted and may not be left
// out stays, with a warning that says why. False after an error: what is excluded already may not be any
// more.
bool sigma_exclude(Sigma *s, const ImportNames *n, const Exclude *e, Diags *diags);

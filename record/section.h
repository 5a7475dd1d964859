// record/section -- inside sigma/: what may run while a lock is held whose operations are ordinary code.
#pragma once
#include "ir/ir.h"

typedef struct {
  const Sites *sites;
  const Callgraph *graph;
  const Maysync *sync;  // without the sites below
  bool *ordinary;       // by site of the module; those of the lock too. Unlocks that are found are added
  const bool *used;     // by site: it is in a schedule
} SectionOf;

// From the lock at this site along all paths without an event, to unlocks at ordinary sites, and at others
// that no schedule uses and that may be of the same lock. True: no call on them may wait or is unknown; else
// *where is one that may. (What events are in the section is for the schedules to say: code off them is off
// the schedule.)
bool section_is_quick(SectionOf *k, uint32_t lock, LLVMValueRef *where);
void section_check(const SectionOf *k);  // asserts that it is whole

// sigma/witness -- how to come to a race or a deadlock: the events that must come before, then the two accesses,
// or the threads that wait.
#pragma once
#include "context.h"

// An access in a segment. The texts are the caller's.
typedef struct {
  Segment segment;
  const char *name;  // function%ordinal, see ir/inst
  bool writes;
  uint32_t bytes;    // SIGMA_NONE: not the same every time
  const char *file;  // NULL: not known
  uint32_t line, column;
} WitnessSide;

// A Σ of one schedule: of the order's, the smallest beginning that holds all that comes before either
// segment, in the order of the file, then the accesses; input and constraint as there. NULL after an error:
// the segments are of one thread, one ends before the other begins, or a thread waits or is not there.
Sigma *witness_make(const Order *o, WitnessSide a, WitnessSide b, Diags *diags);
// A Σ of one schedule: the first `upto` events of each thread, which need no others, in the order of the file;
// then threads stand in these operations, in the order of threads. Threads keep their numbers: if one is
// created, so are all with smaller numbers.
Sigma *witness_prefix(const Order *o, const uint32_t *upto, const Event *standing, size_t count, Diags *diags);
// Another input: arguments of the first schedule of `from`, and its variables and inputs in place of those of
// the same name. No run with it was recorded: how such a one ends is not known.
void witness_take_input(Sigma *witness, const Sigma *from);

// slicer/gates -- what order adds to data and control: why a thread came to an instance when it did.
//
// A gate of an instance is the last event of its thread before it that waited for another thread. It brings
// what it waited for; a wait brings the check that ended its loop; an outcome (busy, timed out) the event
// that caused it.
#pragma once
#include "examined.h"

typedef struct Gates Gates;
Gates *gates_new(const Examined *of);
void gates_free(Gates *g);
// What an instance brings, all of it earlier in the trace or to be ignored if it is not. Valid until the next
// call.
typedef struct {
  RunInstance at;
  uint32_t event;  // that it performs; SIGMA_NONE: a check
} GateBrings;
typedef Vec(GateBrings) GatesBring;
// Instances come in the order of a walk back. ordered: it is kept for order only; locks in front of it are
// nothing to it then.
const GatesBring *gates_bring(Gates *g, RunInstance at, bool ordered);
void gates_again(Gates *g);  // another walk begins
// What woke or let go on an event: the latest it waited for; SIGMA_NONE.
uint32_t gates_cause(const Gates *g, uint32_t event);
uint32_t gates_outcome(const Gates *g,
                       uint32_t event);  // what made it end as it did, if it failed; SIGMA_NONE

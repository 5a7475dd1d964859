// session/reproduce -- a recorded run, executed again until it ends as the recording did.
#pragma once
#include "sigma/sigma.h"
#include "symex/symex.h"

// trace is filled; tail: the order that did it. False: none did; the run is then that of the schedule's own
// order. failed: an error stands in diags.
bool reproduce(Runner *r, const Sigma *s, uint32_t schedule, uint64_t tries, RunTrace *trace, RunResult *out,
               uint64_t *tail, bool *failed, Diags *diags);

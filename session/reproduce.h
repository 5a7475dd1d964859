// session/reproduce -- a recorded run, executed again until it ends as the recording did.
#pragma once
#include "sigma/sigma.h"
#include "symex/symex.h"

// Or until it prints something else than it should have. trace is filled; tail: the order that did it.
// REPRODUCED_EARLIER: the run died of memory that it may not touch, where the recorded one went on and died
// later. REPRODUCE_NOT: the run is that of the schedule's own order. failed: an error stands in diags.
typedef struct {
  const Sigma *sigma;
  uint32_t schedule;
  uint64_t tries;
  const Bytes *expected;  // what it should have printed; NULL: not known
} ReproduceWhat;
typedef enum { REPRODUCED, REPRODUCED_EARLIER, REPRODUCE_NOT } Reproduced;
Reproduced reproduce(Runner *r, const ReproduceWhat *what, RunTrace *trace, RunResult *out, uint64_t *tail,
                     bool *failed, Diags *diags);

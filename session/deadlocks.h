// session/deadlocks -- the deadlocks that one schedule of a file shows or leaves possible, for session/races.
#pragma once
#include "deadlock/deadlock.h"
#include "record/record.h"

// Adds findings to out. found: what could not be looked at. False after an error.
// Orders in which a wait may be missed are run, until a time on replay_clock; tried: see deadlock/deadlock.h.
typedef struct {
  const char *app;
  double until;
  Map *tried;
  Intern *names;
} DeadlockTries;
bool deadlocks_run(const Program *l, const Sigma *s, uint32_t schedule, const DeadlockTries *t,
                   WitnessVec *witnesses, Report *out, Diags *found);
bool deadlocks_check(const Program *l, const Sigma *s, uint32_t schedule, size_t limit, WitnessVec *witnesses,
                     Report *out, DeadlockFigures *figures, Diags *found);

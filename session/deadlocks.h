// session/deadlocks -- the deadlocks that one schedule of a file shows or leaves possible, for session/races.
#pragma once
#include "deadlock/deadlock.h"
#include "record/record.h"

// Adds findings to out. found: what could not be looked at. False after an error.
bool deadlocks_check(const Program *l, const Sigma *s, uint32_t schedule, WitnessVec *witnesses, Report *out,
                     Diags *found);

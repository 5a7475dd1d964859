// session/constraints -- the constraint of a recorded schedule, computed.
#pragma once
#include "sigma/sigma.h"
#include "symex/symex.h"

// when: the constraint as text, if out has no gaps. False after an error.
bool constraints_compute(const char *app, const char *sigma, uint32_t schedule, Bytes *when,
                         ConstraintFound *out, Diags *diags);
// In a process of its own, which is ended after so many seconds. False: none that is whole was found.
bool constraints_within(double seconds, const char *app, const char *sigma, uint32_t schedule, Bytes *when);

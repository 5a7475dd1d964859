// session/gaps -- what a run did that no analysis of its schedule looks at: told as warnings at the lines.
#pragma once
#include "record/record.h"

// Before the module is changed: sites and calls are those of the stored module.
bool gaps_forks(const Program *l);  // the module calls fork or its kin
void gaps_tell(const Program *l, const Sigma *s, uint32_t schedule, Diags *d);

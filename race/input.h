// race/input -- what the constraint of a schedule says of values that main computes from its arguments.
#pragma once
#include "known.h"

// Tells v. Requires that nothing was asked of it yet.
void input_facts(Known *v, const Code *c, const Accesses *accesses, const Sigma *s, uint32_t schedule);

// flow/input -- what the constraint of a schedule says of values that main computes from its arguments and
// its environment.
#pragma once
#include "known.h"
#include "number.h"

// Tells v. Requires that nothing was asked of it yet. Adds the numbers to out; one that is read in several
// places has the same value in all.
// constraint: it holds; else the numbers are found, and may be any.
void input_facts(Known *v, const Code *c, const Accesses *accesses, bool constraint, InputNumbers *out);

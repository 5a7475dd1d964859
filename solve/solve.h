// solve -- terms over bit-vectors, and what can be said of them. Include this, never a header behind it.
//
// In: terms in a Bvs, hash-consed: equal ones are one number (Bv). Out: simpler terms, the interval or the
// linear sum that a term is, and answers of a Solver: whether all of some terms can be true, and with which
// values (Model). "Unknown" is an answer. Knows nothing of programs or schedules.
#pragma once
#include "bv.h"
#include "canon.h"
#include "interval.h"
#include "linear.h"
#include "model.h"
#include "solver.h"

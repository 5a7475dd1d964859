// symex/run_constraint -- for which inputs a run follows its schedule, from one run alone: what decided its
// synchronization, as terms over its input.
#pragma once
#include "constraint.h"
#include "sliced.h"

// terms get the constraint. False after an error.
bool run_constraint_find(const SlicedInput *in, Terms *terms, ConstraintFound *out, Diags *diags);

// Truths over the input as one term; shorter: with the help of the solver. TERM_NONE: one cannot be said.
Term run_constraint_write(const Sliced *s, const BvVec *truths, bool shorter, Terms *terms);

// The truths of a slice, shorter: bounds of one term become two at most.
void run_constraint_tighten(Bvs *t, const BvVec *truths, BvVec *out);
// Whether nothing but the input stands in it; else, why not.
bool run_constraint_over_input(const Sliced *s, Bv truth, const char **why);

// race/compose -- an input with which two accesses can meet, where the recorded one cannot show it: the
// recorded one with other numbers in it, as few and as near as the solver finds them.
#pragma once
#include "flow/flow.h"

typedef struct Composer Composer;
// All must outlive it. Of a schedule without a constraint, or whose arguments are not known, it gives
// nothing.
Composer *composer_new(Flow *f);
void composer_free(Composer *c);
const BvVec *composer_values(const Composer *c);  // the numbers that can be replaced
// Requires what has to be true for the two to meet. A Σ of one schedule with all arguments, and the variables
// of the environment that are not as recorded; the constraint holds for it. NULL: the recorded input will do,
// or none was found, or what is asked hangs on what is no number of the input.
Sigma *composer_input(Composer *c, const BvVec *truths);

// solve/whole -- inside solve/solver: terms as integers.
#pragma once
#include <z3.h>
#include "bv.h"

typedef struct Whole Whole;
Whole *whole_new(Z3_context c, const Bvs *t, const Bv *truths,
                 size_t count);  // bounds follow from the truths
void whole_free(Whole *w);
void whole_assert(Whole *w, Z3_solver q, Bv truth);
void whole_assert_near(Whole *w, Z3_solver q, Bv x, int64_t least, int64_t most);
void whole_finish(Whole *w, Z3_solver q);  // after all of them

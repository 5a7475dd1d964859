// solve/solver -- whether truths can hold together. Backed by Z3.
#pragma once
#include "model.h"

typedef enum { SOLVE_NO, SOLVE_YES, SOLVE_UNKNOWN } SolveAnswer;

typedef struct Solver Solver;
Solver *solver_new(const Bvs *t);  // the terms must outlive it
void solver_free(Solver *s);
// From now on it holds in all questions but solver_between's. Cheaper than to give it each time.
void solver_hold(Solver *s, Bv truth);
// Whether all of them can be true at once. UNKNOWN after so many steps of the solver: the answer is always
// the same.
SolveAnswer solver_possible(Solver *s, const Bv *truths, size_t count, unsigned steps);
// The same; with YES, out is a case in which all are true, as our own arithmetic has it too, with a value for
// each of their variables.
SolveAnswer solver_model(Solver *s, const Bv *truths, size_t count, unsigned steps, Model *out);
// Whether x can lie between these two as a signed number while all truths hold, as far as arithmetic of
// integers can say: YES may be wrong.
SolveAnswer solver_between(Solver *s, const Bv *truths, size_t count, Bv x, int64_t least, int64_t most,
                           unsigned steps);

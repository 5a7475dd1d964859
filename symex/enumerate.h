// symex/enumerate -- all the schedules that the inputs of a program may need, one for each class of inputs.
//
// From a run of the seed: which inputs follow its schedule (run_constraint.h); then an input that no schedule
// covers yet, as near to the seed as there is one, its run in the natural order, and so on, until none is
// left. Each new schedule is one of Σ, proved; inputs of the same schedule are joined by `or`.
#pragma once
#include "alias/alias.h"
#include "record/record.h"
#include "solve/solve.h"

typedef struct {
  const Program *program;
  Sigma *sigma;  // gets the schedules; of this program
  const Alias *alias;
  Span models;
  Strings seed;  // with the program's name
  Term assume;   // only inputs that fulfil it; TERM_NONE: all
  size_t most_runs, most_schedules;
  double seconds;  // 0: any time
} EnumerateInput;

typedef struct {
  size_t runs, schedules, joined;  // joined: runs of a schedule that was known
  size_t left_out;                 // runs of which no schedule could be made
  uint64_t questions;              // to the solver
  double solving, running;         // seconds
  bool complete;                   // together they cover all inputs that were asked for
  char *why;                       // else: what stands in the way; NULL
  Term uncovered;                  // what is not covered; TERM_NONE: it is not known, or too long
} EnumerateFound;

// False after an error.
bool enumerate_all(const EnumerateInput *in, EnumerateFound *out, Diags *diags);
void enumerate_free(EnumerateFound *f);

// Whether the constraints of s cover all inputs, or all with some number of arguments; and whether two of
// them may hold at once.
typedef struct {
  bool all, known;      // known: all constraints are about numbers and texts that the solver has
  uint32_t arguments;   // all inputs with argc as this; 0: not even that
  uint32_t overlap[2];  // two schedules; SIGMA_NONE: none overlap, as far as is known
} Coverage;
void enumerate_coverage(const Sigma *s, Coverage *out);

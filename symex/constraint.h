// symex/constraint -- for which inputs a run follows its schedule, from the clones alone: each guard's
// condition as a term over the input. Nothing is run.
#pragma once
#include "alias/alias.h"
#include "sigma/sigma.h"

typedef struct {
  LLVMModuleRef view;  // of cfspec_view; is changed
  const AliasOptions *alias;
  Sigma *sigma;  // its terms get the constraint
  uint32_t schedule;
} ConstraintInput;

// What stands in the way: a test, or an object, that depends on something other than numbers of the input.
typedef struct {
  char *file;  // NULL: nowhere in particular
  unsigned line, column;
  char *why;
} ConstraintGap;
typedef Vec(ConstraintGap) ConstraintGaps;

typedef struct {
  Term when;            // what was found; every input that follows the schedule fulfils it
  ConstraintGaps gaps;  // empty: and every input that fulfils it follows the schedule
  size_t guards, implied;
} ConstraintFound;
// False after an error.
bool constraint_find(const ConstraintInput *in, ConstraintFound *out, Diags *diags);
void constraint_free(ConstraintFound *f);

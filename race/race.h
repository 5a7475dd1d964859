// race -- pairs of accesses that a schedule leaves unordered. Include this, never a header behind it.
//
// Analysed on the clones of a schedule before any access is optimized away. Sound under the assumptions of
// alias/alias.h: a pair that is not reported is ordered, disjoint, or in code that is never reached, in every
// run that is held to the schedule. What could not be looked at stands in Report.incomplete.
#pragma once
#include <signal.h>
#include "origin.h"
#include "alias/alias.h"
#include "report/report.h"
#include "sigma/sigma.h"

enum { RACE_WITNESSES = 4 };  // of one pair of places in the source: in other segments, of other threads

// How a finding can be come to. Finding.witness is the number of the first until the report is settled.
typedef struct {
  const char *input, *recorded, *stdin_note;  // as in Finding
} RaceInput;
typedef struct {
  Vec(Sigma *) of;  // RACE_WITNESSES at most
  Vec(RaceInput) inputs;
  bool all;  // there are no others
} RaceWitnesses;
typedef Vec(RaceWitnesses) RaceWitnessVec;
void race_witnesses_free(RaceWitnessVec *v);

typedef struct {
  const Sigma *sigma;
  uint32_t schedule;
  const AliasOptions *alias;
  size_t budget;                      // instructions of a flat view; 0: the default
  size_t limit;                       // pairs that are told one by one; 0: the default
  RaceWitnessVec *witnesses;          // to be filled; NULL: not wanted
  const volatile sig_atomic_t *stop;  // when it is set, the other pairs are left out; may be NULL
} RaceOptions;

typedef struct {
  uint64_t pairs, concurrent, meeting;  // of accesses; unordered; that may touch the same by points-to
  uint64_t asked;                       // of these, those that the solver was asked about
  uint64_t unanswered;                  // of these, those that were too hard, and are told as races
  size_t accesses;
} RaceFigures;

// Adds findings to out. The view (cfspec/view) was made of a module with origins_mark, and is of no use then.
// False after an error.
bool race_check(LLVMModuleRef view, const RaceOptions *o, Report *out, RaceFigures *figures, Diags *diags);

// race -- pairs of accesses that a schedule leaves unordered. Include this, never a header behind it.
//
// In: the view of one schedule (cfspec/view) of a module with origins_mark. Out: findings and witnesses,
// added to a Report. It goes over pairs of accesses by object, cheapest questions first: order, bytes, locks
// that the schedule leaves out, what libstdc++ owns (owned), hand-made waiting (handmade), then the addresses
// (flow/). Sound under the assumptions of alias/alias.h: a pair that is not reported is ordered, disjoint, or
// never reached, in every run that is held to the schedule. What was not looked at is in Report.incomplete.
#pragma once
#include "flow/flow.h"
#include "alias/alias.h"
#include "report/report.h"
#include "ir/ir.h"
#include "sigma/sigma.h"

typedef struct {
  const Sigma *sigma;
  uint32_t schedule;
  const AliasOptions *alias;
  size_t budget;          // instructions of a flat view; 0: the default
  size_t limit;           // pairs that are told one by one; 0: the default
  WitnessVec *witnesses;  // to be filled; NULL: not wanted
  const char *dump;       // as in FlowInput
  const char *app;        // the program, to be run once more: what that shows ranks the findings
  double watch;           // seconds for it; 0: it is not run
  bool (*stop)(void);     // when it says so, the other pairs are left out; may be NULL
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

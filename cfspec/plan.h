// cfspec/plan -- what every thread of a schedule does, as activations: one for each call of a function that
// may synchronize. A walk through the events that record/validate has found to be one through the code.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

#define PLAN_NONE UINT32_MAX

typedef enum {
  END_RETURNS,
  END_UNWINDS,  // by an exception
  END_STOPS,    // the thread ends in it
  END_EITHER    // returns, or the thread is cancelled in it
} EndHow;

// One event of an activation, in its own code: an operation, or a call of what may synchronize.
typedef struct {
  uint32_t site;       // of the module
  uint32_t call;       // the CALL event; SIGMA_NONE: the operation alone
  uint32_t operation;  // the event of the operation; SIGMA_NONE: a call only
  uint32_t depart;     // second half of a wait or barrier; SIGMA_NONE
  uint32_t jump;       // the event of a setjmp that comes back once more, and nothing else; SIGMA_NONE
  bool jumped;         // the next step is such a jump, and may have left this call
  uint32_t callee;  // the activation that is called; PLAN_NONE: it had no events, or is entered from outside
  EndHow end;       // how the call is left
} Step;

// How an activation is entered.
typedef enum { BEGIN_MAIN, BEGIN_ROUTINE, BEGIN_CALL, BEGIN_CALLBACK } BeginHow;

typedef struct {
  uint32_t thread;
  uint32_t function;  // of the call graph; CALLGRAPH_NONE: its routine is not in the module
  BeginHow begin;
  uint32_t event;  // that begins it: CALL, CALLBACK, ENTER; SIGMA_NONE for main
  uint32_t caller;
  EndHow end;
  uint32_t end_event;  // that comes next when it is left; SIGMA_NONE
  Vec(Step) steps;
} Activation;

typedef struct {
  const Sigma *sigma;
  const Schedule *schedule;
  const Callgraph *graph;
  Vec(Activation) activations;  // an activation stands behind its caller
  uint32_t *routine;            // by thread: its first activation, or PLAN_NONE
  bool *soft;  // by site of the module: calls that never synchronize here, and are no steps; NULL: none
} Plan;

// False with an error: something in there cannot be specialized.
// soften: derived syncs in which nothing ever happens are left out. Their callees may be entered any number
// of times, as long as they do not synchronize.
bool plan_make(Plan *p, const Sigma *s, uint32_t schedule, const Callgraph *graph, bool soften, Diags *diags);
static inline bool plan_soft(const Plan *p, uint32_t site) {
  return p->soft && p->soft[site];
}
void plan_free(Plan *p);
void plan_check(const Plan *p);  // asserts that it is whole

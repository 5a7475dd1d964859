// cfspec -- control-flow specialization: clones in which each thread does what its schedule says, and the
// choice between them. Include this, never a header behind it.
//
// In: a module with its sites and call graph, and a Σ. Out: in the same module, a clone for each activation,
// stubs where code outside may enter, and a main that tests constraints and picks a schedule; events are
// calls of rt_enf_* with their nodes. Between: the Plan (activations and their steps),
// Pieces (the code between two events). cfspec_view makes the clones plain code for analyses. It assumes
// nothing without a test in front of it, and optimizes nothing.
#pragma once
#include "belongs.h"
#include "check.h"
#include "disjoint.h"
#include "dispatch.h"
#include "view.h"
#include "ir/ir.h"
#include "sigma/sigma.h"

// How the names of blocks begin that run only once a run has left its schedule, or in a forked process.
#define CFSPEC_GENERIC "generic"

typedef struct {
  LLVMModuleRef module;  // becomes the specialized one
  const Sites *sites;    // of the module before any change
  const Callgraph *graph;
  const Maysync *sync;
  const Sigma *sigma;
  const uint32_t *schedules;  // those to specialize to, lowest id first
  size_t count;
  size_t budget;               // cloned instructions at most
  Bytes *segments, *branches;  // to be filled with what is cut, as text; NULL: not wanted
  bool free;                   // runs that leave their schedule go on, in generic copies of what they leave
  bool tested;  // a schedule that the person asks for by number runs only if its constraint holds
  bool apart;   // functions that never synchronize are cloned too, once for each thread
  // For analyses: a thread whose end is no event runs on behind its last one, in a generic copy of its code.
  bool tails;
  bool soften;  // calls that never synchronize in a schedule are not its events: less code, fewer divergences
} CfspecInput;

typedef struct {
  size_t activations, events, instructions;
  size_t generic;  // of the instructions
  // Of those that never synchronize, each counted once a thread: what was cloned, and what could have been.
  size_t copies, copies_wanted, apart, apart_wanted;
} CfspecFigures;

// About how many instructions would be cloned. SIZE_MAX after an error.
size_t cfspec_size(const CfspecInput *in, Diags *diags);
// Adds the clones of all schedules, stubs, and a main that dispatches. Events are calls of rt_enf_*
// (rt/enforce.h) with their nodes. False after an error: then the module is of no use.
bool cfspec_specialize(const CfspecInput *in, CfspecFigures *out, Diags *diags);
// Rolled: the schedules are bytes that a runtime reads (rt/roll.h), and the code is the original with hooks.
// Whether they can be: if not, says why, as an error or a note.
bool cfspec_can_roll(const CfspecInput *in, bool error, Diags *diags);
// Adds the bytes and a main that dispatches; `module` is instrumented (InstrumentOptions.events), and all
// else of `in` that of the untouched one. bytes: of all schedules. False after an error.
bool cfspec_roll(const CfspecInput *in, size_t *bytes, Diags *diags);

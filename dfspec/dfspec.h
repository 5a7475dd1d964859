// dfspec -- data-flow specialization: what the schedule makes true, put into the clones that ship. Include
// this, never a header behind it.
//
// In: a module that cfspec/ has specialized, and one of its schedules. A copy of it gets a
// probe at each value worth knowing (probe), becomes a view, and flow/ answers what each probe sees, in every
// copy that inlining and unrolling made of it (ask). Out: the same module, with constants and addresses of
// variables where all copies agree, and without the guards that are implied (put); then stock passes run on
// the clones alone, and all of it is done again until nothing changes. It believes nothing that a test, an
// event or the constraint does not establish before the place in the enforced order: see flow/why.h.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

// For people: what has become constant at a source line of a clone.
typedef struct {
  char *clone, *text;
  uint32_t line;
} DfspecNote;
typedef Vec(DfspecNote) DfspecNotes;
void dfspec_notes_free(DfspecNotes *notes);

typedef struct {
  LLVMModuleRef module;
  const Sigma *sigma;
  uint32_t schedule;
  bool open;               // of AliasOptions
  bool optimize;           // run LLVM's passes on the clones in between
  bool check;              // the program tests each fact as it comes by: rt_enf_fact
  DfspecNotes *notes;      // to be filled; NULL: not wanted
  bool ignore_constraint;  // to find out what it is good for
} DfspecInput;

typedef struct {
  size_t before, after;        // instructions of the clones
  size_t values, addresses;    // that became constant
  size_t loads;                // of these, loads of memory that is not the function's own
  size_t guards, left;         // branches of which a way leaves the schedule
  size_t by_value, by_solver;  // guards removed: the condition is a constant; it is implied
  size_t loops, loops_left;
  size_t rounds;
} DfspecFigures;

// False with an error. Then the module is of no use.
bool dfspec_apply(const DfspecInput *in, DfspecFigures *out, Diags *diags);

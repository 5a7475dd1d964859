// flow -- what is true in the clones of one schedule because of the schedule, its constraint and earlier
// tests. Include this, never a header behind it.
//
// In: a view of the clones (cfspec/view) and the order that is enforced. Out: values and addresses as terms
// of solve/, what holds where, which stores a load may read, whether two ranges meet; each with its reasons.
// Between: Code, one function per thread and where in the schedule each instruction stands (Region);
// Accesses, what each instruction may touch; Known (private), the terms. An answer that cannot be found is
// "not known", never a guess. It reports nothing and never looks at what its users find.
#pragma once
#include "access.h"
#include "code.h"
#include "number.h"
#include "origin.h"
#include "track.h"
#include "why.h"

typedef struct {
  LLVMModuleRef view;  // of cfspec_view; becomes the flat view, and must stay as it is then
  const Order *order;  // of its schedule
  const AliasOptions *alias;
  size_t budget;        // instructions of the clones; 0: LIMIT_CLONES
  bool only_scheduled;  // code from which every way leaves the schedule does not count. By default it does
  bool volatile_known;  // volatile reads give what was stored. By default anything
  bool no_constraint;   // numbers of the input may be any. By default the constraint holds
  const char *dump;     // a file: the flat view as LLVM IR; NULL
} FlowInput;

typedef struct Flow Flow;
Flow *flow_new(const FlowInput *in, Diags *diags);  // NULL after an error
void flow_free(Flow *f);
const Code *flow_code(const Flow *f);
const Alias *flow_aliases(const Flow *f);
const Accesses *flow_accesses(const Flow *f);
const InputNumbers *flow_numbers(const Flow *f);  // what main reads from its input
Bvs *flow_terms(const Flow *f);

// -- values. Roots run once: what is computed outside loops there is one value, the same for whoever asks;
// what is computed in a loop around the place that asks is a value of that side (1, 2; 3: nobody's). `why`
// may be NULL everywhere.

// BV_NONE: of a type that is no number of at most 64 bits.
Bv flow_term(Flow *f, LLVMValueRef x, LLVMValueRef at, unsigned side, FlowWhy *why);
typedef enum { FLOW_NO, FLOW_UNKNOWN, FLOW_YES } FlowAnswer;
FlowAnswer flow_holds(Flow *f, LLVMValueRef condition, LLVMValueRef at, FlowWhy *why);  // an i1, whenever at
// Half of that question, for half of the time: it is this whenever at.
bool flow_always(Flow *f, LLVMValueRef condition, bool value, LLVMValueRef at, FlowWhy *why);
FlowAnswer flow_reached(Flow *f, LLVMValueRef at, FlowWhy *why);  // FLOW_NO, or not known
// What holds at `at`: whatever has to do with the variables of these terms, directly or not.
void flow_facts(Flow *f, LLVMValueRef at, unsigned side, const BvVec *about, BvVec *out, FlowWhy *why);
// In one root, the first of them is never executed after the second.
bool flow_before(const Flow *f, LLVMValueRef first, LLVMValueRef second);

// -- what terms stand for

LLVMValueRef flow_object(const Flow *f, Bv x);             // the address of an object; NULL: it is none
bool flow_objects(const Flow *f, Bv address, IdVec *out);  // of alias/, that it is in. False: not known
bool flow_apart(const Flow *f, Bv x, Bv y);                // in objects that are known, and no common one
bool flow_round(const Flow *f, Bv x);                      // how often a loop has been gone around
bool flow_single(const Flow *f, Bv x);                     // the same for both sides

// -- memory

Bv flow_initial(Flow *f, const Access *load);  // before anything was written there; BV_NONE: not known
typedef struct {
  const Access *store;
  bool sure;  // it alone: it is executed before, writes all that is read, and nothing comes between
} FlowDef;
typedef Vec(FlowDef) FlowDefs;
// The writes that a load in a root may read. False: any that may touch the same, or none is known.
bool flow_defs(Flow *f, const Access *load, FlowDefs *out, FlowWhy *why);

// -- two accesses, by their addresses alone: when they happen is for Region to say

typedef enum {
  FLOW_DISTINCT,     // not the same bytes
  FLOW_NEVER,        // one of them is never executed
  FLOW_OVERLAP,      // surely the same bytes
  FLOW_MAY_OVERLAP,  // for some values
  FLOW_TOO_HARD,     // the solver gave up
  FLOW_ANYWHERE      // where one of them points is not known
} FlowMeeting;
FlowMeeting flow_meet(Flow *f, const Access *x, const Access *y, FlowWhy *why);
// What has to be true for both to be executed and touch the same bytes, with all that is known of these
// values. False: where one of them points is not known well enough.
bool flow_meet_if(Flow *f, const Access *x, const Access *y, const BvVec *about, BvVec *truths);
typedef struct {
  uint64_t asked, unanswered;  // of the solver; of these, too hard
} FlowFigures;
FlowFigures flow_figures(const Flow *f);

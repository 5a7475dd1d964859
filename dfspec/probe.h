// dfspec/probe -- what is asked of the clones of a schedule, and where.
#pragma once
#include "dfspec.h"

typedef enum {
  FACT_UNSEEN,  // no copy of it is ever executed, as far as flow/ sees
  FACT_IS,      // the same in all copies
  FACT_VARIES   // not the same, or not known
} FactWhat;

typedef struct {
  LLVMValueRef inst;  // of a clone: a value, or the branch whose condition it is; a function: its parameter
  unsigned parameter;
  bool guard;  // inst is a branch of which a way leaves the schedule
  bool solve;  // of such: the solver is asked too, whether the condition is always `stays`
  bool stays;
  FactWhat what;
  uint64_t value;
  LLVMValueRef base;  // a variable of the module, value bytes behind its begin; NULL: value is the number
  bool solved;        // at some copy only the solver knew
} Fact;
typedef Vec(Fact) Facts;

LLVMValueRef guard_in(LLVMBasicBlockRef b);  // the call that leaves the schedule; NULL
bool guard_branch(LLVMValueRef terminator);  // of conditional ones: one of its ways does
// Of the clones of the schedule in m; and a probe for each, with its number, in the same place of copy.
// asked: by guard, how often the solver was: it gets PROBE_TRIES.
enum { PROBE_TRIES = 2 };
void probes_place(LLVMModuleRef m, LLVMModuleRef copy, uint32_t schedule, Map *asked, Facts *out);
// It is not asked again: what still uses it tests what is known.
void probe_settle(LLVMValueRef value);
// The number and the value of a probe. False: it is none.
bool probe_of(LLVMValueRef call, size_t *number, LLVMValueRef *value);
LLVMValueRef probe_condition(LLVMValueRef branch);  // what decides; NULL: nothing

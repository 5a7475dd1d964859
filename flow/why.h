// flow/why -- the reasons of a fact: the tests, events and parts of the constraint that it rests on.
#pragma once
#include "ir/ir.h"

// Coarse still: whatever comes before the place in the enforced order, of which the fact may use less. So
// nothing that the fact rests on is missing, and all of it lies before the place.
typedef struct {
  Vec(LLVMValueRef)
      tested;       // ends of blocks of the flat view: which way they took, in this thread and its creators
  IdVec events;     // by thread: the last that is surely over there. It and those before it
  bool constraint;  // the `when` of the schedule
} FlowWhy;
void flow_why_free(FlowWhy *w);

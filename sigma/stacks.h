// sigma/stacks -- the calls that each thread is in, followed through the events of a schedule. The one place
// that knows how CALL, RET, UNWIND and CALLBACK nest: whoever keeps something for each open call keeps it in
// step with this.
#pragma once
#include "model.h"

typedef struct EventStacks EventStacks;
EventStacks *stacks_new(const Schedule *c);  // events may be added to it meanwhile
void stacks_free(EventStacks *s);

// What an event does to its thread's stack, in this order. Openers are CALL or CALLBACK events.
typedef struct {
  uint32_t over;    // the CALLBACK that has ended, because the code outside goes on; SIGMA_NONE
  uint32_t around;  // the innermost opener that the event stands in (a RET still inside); SIGMA_NONE
  uint32_t left;    // what this RET or UNWIND leaves; SIGMA_NONE
  bool opens;       // the event is the innermost opener now
  bool wrong;       // it leaves a call that is not the innermost one: nothing was left
} StackStep;
StackStep stacks_pass(EventStacks *s, uint32_t event);  // of each thread in the order of the schedule

size_t stacks_depth(const EventStacks *s, uint32_t thread);           // openers
uint32_t stacks_at(const EventStacks *s, uint32_t thread, size_t i);  // below stacks_depth; 0: the outermost
uint32_t stacks_inner(const EventStacks *s, uint32_t thread);         // the innermost one; SIGMA_NONE
size_t stacks_calls(const EventStacks *s, uint32_t thread);           // CALLs among them
uint32_t stacks_call(const EventStacks *s, uint32_t thread);          // the innermost of these; SIGMA_NONE
void stacks_check(const EventStacks *s);                              // asserts that it is whole

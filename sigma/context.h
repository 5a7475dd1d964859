// sigma/context -- where code of a schedule is: the segments between events, and the one question that data
// flow asks.
#pragma once
#include "order.h"

// The code of a thread before its event number `index`, behind the one before that: 0 is what thread 0 does
// from the dispatch point on, the last (as many as events) what follows the last event.
typedef struct {
  uint32_t thread, index;
} Segment;
uint32_t segment_begin(const Order *o, Segment s);  // the event it follows; SIGMA_NONE: none
uint32_t segment_end(const Order *o, Segment s);    // the event it runs into; SIGMA_NONE: none

// Whether what g does may come between def and use, which stand in segments d and u: no only if g ends before
// d begins or begins after u ends, in the enforced order. With d = u: whether g and d may overlap in time.
bool may_interfere(const Order *o, Segment g, Segment d, Segment u);

// A segment and the calls that it stands in. path is the innermost CALL or CALLBACK event, which
// stands for one activation; SIGMA_NONE: the thread's routine, or main.
typedef struct {
  Segment segment;
  uint32_t path;
} Context;
Context context_of(const Order *o, Segment s);
uint32_t context_caller(const Order *o, uint32_t path);  // the one around it

// sigma/order -- which events of a schedule come before which, in every run that is held to it.
//
// Events are indices into Schedule.events; their order in the file is one of the possible ones. A thread's
// events are counted from 0. Two orders: the enforced one (HB, or total if the schedule says so), and within
// HB what gives happens-before credit, that is, without the edges that only keep outcomes as they were.
#pragma once
#include "model.h"

typedef struct Order Order;

// NULL after an error: the first event that cannot have happened, by file and line. The schedule must stay as
// it is.
Order *order_new(const Sigma *s, uint32_t schedule, Diags *diags);
void order_free(Order *o);
const Sigma *order_sigma(const Order *o);
const Schedule *order_schedule(const Order *o);

uint32_t order_count(const Order *o, uint32_t thread);
uint32_t order_event(const Order *o, uint32_t thread, uint32_t position);
uint32_t order_position(const Order *o, uint32_t event);
uint32_t order_path(const Order *o, uint32_t event);  // the innermost CALL or CALLBACK open there

// Strictly: no event is before itself. Both take constant time.
bool order_before(const Order *o, uint32_t a, uint32_t b);          // enforced
bool order_happens_before(const Order *o, uint32_t a, uint32_t b);  // with credit

// What an event must wait for in other threads: the transitive reduction of the enforced order, latest first.
// Not among them is what a barrier does by itself: nobody departs before all of the generation have arrived.
typedef struct {
  uint32_t event : 31, credit : 1;
} OrderWait;
size_t order_waits(const Order *o, uint32_t event, const OrderWait **waits);
uint32_t order_generation(const Order *o, uint32_t event);  // of a barrier event; SIGMA_NONE of others
uint32_t order_waker(const Order *o, uint32_t event);  // of a departure: the signal that woke it; SIGMA_NONE
size_t order_arrivals(const Order *o, uint32_t generation, const uint32_t **events);  // 0: it never opened
size_t order_memory(const Order *o);                                                  // bytes

// The run of b is one that a would have allowed: the same threads do the same, up to the numbers of threads
// and objects, and the events of b are in the order that a enforces. Sites are compared by name.
bool order_allows(const Order *a, const Order *b);

// Whether every schedule can have happened. One error for each that cannot.
size_t sigma_possible(const Sigma *s, uint32_t schedule, Diags *diags);  // how many events, from the first
bool sigma_check(const Sigma *s, Diags *diags);
// Of a recording: fills in what follows from the events, and checks. A wait that returned with no signal left
// to wake it becomes spurious; a mutex that its owner took again, recursive; one that was taken from a thread
// that exited, robust.
bool sigma_settle(Sigma *s, uint32_t schedule, Diags *diags);
// Whether a constraint holds for the input that c was recorded with, as far as that is stored.
bool sigma_fits_recording(const Sigma *s, const Schedule *c, Term when);
// The first schedule before this one with the same dispatch point and kind of order that allows it, and with
// the same constraint or one that was computed and holds for its input, if both are valid: what was recorded
// again. SIGMA_NONE if there is none.
uint32_t sigma_recorded_as(const Sigma *s, uint32_t schedule);

void order_check(const Order *o);  // asserts that it is whole

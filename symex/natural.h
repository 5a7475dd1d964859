// symex/natural -- inside symex/: runs without a recording. A thread goes on until it has to wait; then the
// next one does that can. So the order of events depends on nothing but what the program does with its input.
// The events are what the recorder would have written.
#pragma once
#include "machine.h"

struct Natural *natural_new(Machine *m, Sigma *s, uint32_t schedule, Runner *r);
void natural_free(struct Natural *n);

// What follow.c does with a recording. NULL: the thread waits.
const Event *natural_turn(Machine *m, Thread *t, int kind, EventPhase phase, uint32_t site);
void natural_pass(Machine *m, Thread *t);
void natural_forget(Machine *m, uint64_t address);
// Whether the routine of a once is for this thread to run.
const Event *natural_once(Machine *m, Thread *t);
void natural_begins(Machine *m, Thread *t, const Call *call, const Sync *s, uint64_t at);
bool natural_stuck(
    Machine *m);  // all wait: true: a wait with a time has come to its end, and somebody can go on
// A variable of the environment that is not known is not set, and the schedule says so.
void natural_environment(Machine *m, const char *name);

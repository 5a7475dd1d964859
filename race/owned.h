// race/owned -- what libstdc++ keeps for a thread of std::thread: it is destroyed in that thread, behind its
// routine. Its destructor is one function for all threads, and only of the object does it show which of them
// runs it.
#pragma once
#include "flow/flow.h"

typedef struct Owned Owned;
Owned *owned_new(Flow *f);  // which must outlive it
void owned_free(Owned *o);
// x is made by such a destructor in the object itself, and y is made by the thread of each object that both
// may touch, or before that thread begins.
bool owned_ordered(const Owned *o, const Access *x, const Access *y);

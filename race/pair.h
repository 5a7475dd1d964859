// race/pair -- when two accesses happen: unordered, and not under the same mutex.
#pragma once
#include "flow/flow.h"

// Concurrent regions of two threads, with happens-before credit.
bool pair_concurrent(const Code *c, const Access *x, const Access *y, Region *rx, Region *ry);
// Whether the accesses, where they meet, hold the same mutex, x the one at m and y that at n: each as far
// from its mutex as the other, so that two mutexes would overlap.
bool pair_under_one(Flow *f, const Access *x, LLVMValueRef m, const Access *y, LLVMValueRef n);

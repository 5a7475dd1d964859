// race/locks -- which mutexes that are left out of the schedule are held where: two accesses under the same
// one are no race.
#pragma once
#include "flow/flow.h"

typedef struct Locks Locks;
Locks *locks_new(const Code *c);
void locks_free(Locks *l);
uint64_t locks_held(const Locks *l, LLVMValueRef inst);     // those with a name, a bit each
LLVMValueRef locks_mutex(const Locks *l, unsigned number);  // of bit 1 << number
// One without a name: its address, a value of the same function that is still what was locked. NULL: none.
LLVMValueRef locks_latest(const Locks *l, LLVMValueRef inst);

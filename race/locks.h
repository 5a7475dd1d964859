// race/locks -- which locks are held where: two accesses under the same one are no race. Mostly events order
// them too; but not where the schedule leaves a lock out, nor in code that may run at many times.
#pragma once
#include "flow/flow.h"

// Locks with a name, a bit each; readers share.
typedef struct {
  uint64_t exclusive, shared;
} LockSet;

typedef struct Locks Locks;
Locks *locks_new(const Code *c);
void locks_free(Locks *l);
LockSet locks_held(const Locks *l, LLVMValueRef inst);  // whether its operations are events or not
bool locks_common(const Locks *l, LLVMValueRef x, LLVMValueRef y);  // of these, one that excludes the other
uint64_t locks_left_out(const Locks *l, LLVMValueRef inst);         // those whose operations are no events
LLVMValueRef locks_lock(const Locks *l, unsigned number);           // of bit 1 << number
// A mutex without a name: its address, a value of the same function that is still what was locked. NULL:
// none.
LLVMValueRef locks_latest(const Locks *l, LLVMValueRef inst, bool left_out);

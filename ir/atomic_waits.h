// ir/atomic_waits -- inside ir/atomics: loops that do nothing but wait for an atomic object to have some
// value. All that one has done is told by the last value that it read: so that is the event, not each round.
//
// Such a loop has one atomic operation, a load or an exchange for a constant; no call but pause, yield and
// sleep; it reads and writes no memory but locals whose address nobody has, and of those it carries only
// counters from one round to the next. It is entered from one block, and nothing but branches leave it.
#pragma once
#include <llvm-c/Core.h>
#include "core/core.h"

typedef struct {
  LLVMValueRef branch;  // in the loop
  unsigned successor;   // outside
} AtomicExit;
typedef struct {
  LLVMValueRef operation;
  LLVMValueRef before;  // the branch that enters it
  Vec(AtomicExit) exits;
} AtomicWait;
typedef Vec(AtomicWait) AtomicWaits;

// Those of the function whose operation is among `all`.
void atomic_waits_find(LLVMValueRef function, const LLVMValueRef *all, size_t count, AtomicWaits *out);
void atomic_waits_free(AtomicWaits *w);

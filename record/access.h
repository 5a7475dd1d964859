// record/access -- which memory an instruction touches: loads, stores, atomics, copies, and library calls of
// which ir/library.def says how much.
#pragma once
#include <stdbool.h>
#include "ir/ir.h"

typedef struct {
  LLVMValueRef address;
  LLVMValueRef size, times;  // how many bytes, if not NULL; their product
  uint64_t bytes;            // else; or RT_TOUCH_TEXT, RT_TOUCH_HEAP
} AccessRange;
typedef struct {
  AccessRange at[2];
  size_t count;
} AccessOf;

// False: it does not, or in a way that is not known.
bool access_of(LLVMValueRef inst, bool writes, AccessOf *out);
// What an instruction means to the order of memory, beside sync operations: acquires, releases (SyncKind's
// bits). Inline assembly counts as both.
unsigned access_orders(LLVMValueRef inst);

// ir/region -- a loop made ready to become a function: one block leads to it and to nothing else, and each
// place behind it is reached from the loop through a block of its own, which holds the values that go there.
#pragma once
#include <llvm-c/Core.h>
#include "loop.h"

typedef Vec(LLVMBasicBlockRef) BlockVec;
typedef Vec(LLVMValueRef) ValueVec;
typedef struct {
  LLVMBasicBlockRef before;  // leads to the header
  BlockVec blocks;           // of the loop, header first, in an order that depends on its code alone
  BlockVec exits;            // phis and a branch
  ValueVec instructions;     // of blocks, then the phis of exits
} LoopRegion;

// False: something in the loop has to stay in its function, or an exception leaves it for a place there.
bool region_can_move(const Loops *l, uint32_t loop);
// Changes the function around the loop; blocks of other loops stay what they are.
LoopRegion region_make(const Loops *l, uint32_t loop);
void region_free(LoopRegion *r);

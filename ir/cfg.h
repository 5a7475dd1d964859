// ir/cfg -- the control flow graph of one function. Blocks have dense ids in the order of the function; the
// entry is 0. Describes the function as it was when made.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>
#include "core/core.h"

#define CFG_NONE UINT32_MAX

typedef struct Cfg Cfg;
Cfg *cfg_new(LLVMValueRef function);  // one with a body
void cfg_free(Cfg *c);
LLVMValueRef cfg_function(const Cfg *c);
uint32_t cfg_count(const Cfg *c);
LLVMBasicBlockRef cfg_block(const Cfg *c, uint32_t b);
uint32_t cfg_id(const Cfg *c, LLVMBasicBlockRef block);  // CFG_NONE: of another function
uint32_t cfg_of(const Cfg *c, LLVMValueRef inst);        // the block it is in

// The i-th successor is that of the terminator; a block that two of its edges lead to is there twice, and so
// in the predecessors. Calls that do not return have no edges: see the blocks that end in unreachable.
Ids cfg_succs(const Cfg *c, uint32_t b);
Ids cfg_preds(const Cfg *c, uint32_t b);

// The blocks that the entry reaches, in reverse post-order, and the place of each in it.
Ids cfg_order(const Cfg *c);
uint32_t cfg_place(const Cfg *c, uint32_t b);  // CFG_NONE: unreachable

// Marks b and all that it reaches (that reach it), through blocks that are not marked yet.
void cfg_mark_from(const Cfg *c, uint32_t b, bool *mark);
void cfg_mark_to(const Cfg *c, uint32_t b, bool *mark);
void cfg_check(const Cfg *c);  // asserts that it is whole

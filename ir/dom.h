// ir/dom -- dominators and post-dominators of a control flow graph, which must outlive them.
//
// Dominators: blocks that the entry does not reach are in no tree; as in LLVM, everything dominates them and
// they dominate nothing else. Post-dominators: from a virtual exit behind all blocks without successors.
// Blocks that reach none of these (infinite loops) are attached to it where LLVM attaches them: the trees are
// the same. Every block is in the post-dominator tree. A call that does not return counts as one that does.
#pragma once
#include "cfg.h"

#define DOM_NONE UINT32_MAX

typedef struct Dom Dom;
Dom *dom_new(const Cfg *c);
Dom *dom_new_post(const Cfg *c);
void dom_free(Dom *d);

uint32_t dom_parent(const Dom *d, uint32_t b);      // DOM_NONE: the entry, the virtual exit, or in no tree
uint32_t dom_depth(const Dom *d, uint32_t b);       // from 1; 0: in no tree
Ids dom_children(const Dom *d, uint32_t b);         // by id; of DOM_NONE: those without a parent
bool dom_of(const Dom *d, uint32_t a, uint32_t b);  // a dominates b; every block dominates itself
uint32_t dom_common(const Dom *d, uint32_t a, uint32_t b);  // of both; DOM_NONE: only the virtual exit

// Every path from the entry to b takes the edge (dominators only). Two edges between the same blocks are
// none.
bool dom_edge(const Dom *d, uint32_t from, uint32_t to, uint32_t b);
// Instructions: a is executed before (post-dominators: after) b whenever b is, and is another one than b.
// Says nothing of values: what an invoke returns exists on its normal edge only.
bool dom_inst(Dom *d, LLVMValueRef a, LLVMValueRef b);
void dom_check(const Dom *d);  // asserts that it is whole

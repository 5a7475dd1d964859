// ir/loop -- the natural loops of a function, as LLVM defines them: one per header, of all its back edges
// (edges to a block that dominates their source). Ids are dense, in preorder of the nest: the loops inside
// loop l are l + 1 ... loop_last(l). The graph and its dominators must outlive them.
#pragma once
#include "dom.h"

#define LOOP_NONE UINT32_MAX

typedef struct Loops Loops;
Loops *loops_new(const Cfg *c, const Dom *d);
void loops_free(Loops *l);
const Cfg *loops_cfg(const Loops *l);
const Dom *loops_dom(const Loops *l);
uint32_t loops_count(const Loops *l);
uint32_t loops_of(const Loops *l, uint32_t block);  // the innermost one around it, or LOOP_NONE

uint32_t loop_header(const Loops *l, uint32_t loop);
uint32_t loop_parent(const Loops *l, uint32_t loop);  // LOOP_NONE: outermost
uint32_t loop_depth(const Loops *l, uint32_t loop);   // from 1
uint32_t loop_last(const Loops *l, uint32_t loop);
bool loop_has(const Loops *l, uint32_t loop, uint32_t block);
Ids loop_blocks(const Loops *l, uint32_t loop);   // header first, then by nest; inner loops' blocks too
Ids loop_latches(const Loops *l, uint32_t loop);  // the sources of the back edges, each once, by id
// The one block outside that leads to the header, if it leads nowhere else; else CFG_NONE.
uint32_t loop_preheader(const Loops *l, uint32_t loop);
// The edges that leave it, exits->at[i].owner being inside and .item outside, in the order of loop_blocks.
void loop_exits(const Loops *l, uint32_t loop, Pairs *exits);

// Cycles that are no loops, for they have several entries: the strongly connected parts of the graph without
// its back edges. The number of the part that a block is in, from 0, or LOOP_NONE. Cycles that the entry does
// not reach are not looked for.
uint32_t loops_irreducible(const Loops *l, uint32_t block);
uint32_t loops_irreducible_count(const Loops *l);
void loops_check(const Loops *l);  // asserts that they are whole

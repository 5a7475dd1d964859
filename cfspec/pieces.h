// cfspec/pieces -- a function cut at its event sites, and which pieces can be run between two events.
//
// A piece is a part of a block: up to a call that may be an event, or up to the block's end. Nothing in it is
// an event. Describes the function as it was when made.
#pragma once
#include "ir/ir.h"

#define PIECE_NONE UINT32_MAX

typedef struct {
  LLVMBasicBlockRef block;
  LLVMValueRef first;  // the event's call, if it comes at once
  LLVMValueRef last;   // its last instruction, or the event's call; an event that is an invoke ends the block
  uint32_t site;       // the event that ends it; SITE_NONE: the terminator
} Piece;

typedef struct {
  Vec(Piece) pieces;  // in the order of the code; 0 is the entry
  Lists next;         // by piece: where control goes without an event
  Map *of_block;      // the first piece of a block
  Map *behind;        // by site: the piece that ends with it
  bool *ends;         // by piece: the process or thread may end there, or on from there, without an event
  Map *known;         // sets that were asked for
  Vec(uint64_t *) sets;
} Pieces;

// soft: by site, those that are none after all; may be NULL.
Pieces *pieces_new(LLVMValueRef function, const Sites *sites, const Maysync *sync, const bool *soft);
void pieces_free(Pieces *p);
bool pieces_event_site(const Maysync *sync, uint32_t site);

// Where control is after an event: behind the call, or where it unwinds to. PIECE_NONE: it leaves.
uint32_t pieces_after(const Pieces *p, uint32_t site, bool unwinds);
uint32_t pieces_behind(const Pieces *p, LLVMValueRef call);  // a call that is no event, and ends its block
uint32_t pieces_block(const Pieces *p, LLVMBasicBlockRef block);

// What a segment runs up to: a site of the function, or one of these.
#define TO_RETURN UINT32_MAX
#define TO_LEAVE (UINT32_MAX - 1)     // to return or to unwind
#define TO_ANYWHERE (UINT32_MAX - 2)  // the thread ends somewhere: all that can be reached
// The pieces from `from` on that a run to `to` may touch, and those on which it may end the thread without an
// event. A bit for each piece; kept until pieces_free.
const uint64_t *pieces_between(Pieces *p, uint32_t from, uint32_t to);
void pieces_check(const Pieces *p);  // asserts that it is whole, before the function changes
static inline bool pieces_in(const uint64_t *set, uint32_t piece) {
  return set[piece / 64] >> piece % 64 & 1;
}

// ir/family -- regions that are the same code on other values: what differs comes from outside, as a value or
// a constant, and becomes a parameter.
//
// The places of a region where such a value stands are its holes, in the order of its instructions. Holes
// that have the same value in every member are one parameter; those with one constant in all members are
// none.
#pragma once
#include "region.h"

// What a parameter is in all members: memory of the frame that nobody else can reach.
typedef enum {
  FRAME_NONE,
  FRAME_OWN,   // only loads, stores and arithmetic on its address
  FRAME_VALUE  // only loads and stores, of its own type
} FrameUse;

typedef Vec(FrameUse) FrameUses;
typedef struct {
  ValueVec first;   // by hole: what the first member has
  IdVec parameter;  // by hole; FAMILY_CONSTANT: it is first
  IdVec hole;       // by parameter: the first that has its value
  FrameUses frame;  // by parameter
} Holes;
#define FAMILY_CONSTANT UINT32_MAX

typedef struct {
  Vec(LoopRegion) members;
  Map *ids;  // of the first: blocks and instructions
  Holes holes;
  Vec(bool) varies;  // by hole: it is no constant, or not the same one in all
  bool *out;         // by instruction: used behind the region, in some member
  bool unscoped;     // what members say about aliases differs
  bool unlike;       // and what they say about variables
} Family;
typedef struct Families Families;

Families *families_new(void);
void families_free(Families *f);
void families_add(Families *f, LoopRegion r);  // takes it over
void families_settle(Families *f);             // when all are there: then Holes are complete
size_t families_count(const Families *f);
Family *families_at(const Families *f, size_t i);
// The hole that the operand is, or HOLE_NONE: it belongs to the region, or must stay.
#define HOLE_NONE UINT32_MAX
bool family_is_hole(const Map *ids, LLVMValueRef inst, unsigned operand);
// What a member has in its holes now.
void family_fill(const LoopRegion *r, ValueVec *holes);

// ir/alike -- whether instructions of two regions are the same: operation, flags, operands but for holes,
// source places, and metadata but for names.
#pragma once
#include "family.h"

typedef struct {
  const Map *a_ids, *b_ids;  // blocks and instructions of the regions, by number
  Map *scope, *back;         // scopes of a, as b calls them, and the other way round
  unsigned place, loop, scopes, noalias;
  bool renamed;  // what the regions say about aliases is the same, up to the names of scopes
} Alike;
Alike alike_begin(LLVMContextRef context, const Map *a_ids, const Map *b_ids);
void alike_end(Alike *c);
bool alike_instructions(Alike *c, LLVMValueRef a, LLVMValueRef b);

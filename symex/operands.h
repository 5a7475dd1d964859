// symex/operands -- inside symex/: which slots an instruction reads and gives, by its op.
#pragma once
#include "bytecode.h"

typedef struct {
  uint32_t first, count;
} SlotRange;
typedef struct {
  SlotRange reads[3];  // count 0: none
  SlotRange gives;
} Operands;

// Of calls only the pointer that an indirect one goes through, and their result: arguments stand in Call.
Operands operands_of(const Bytecode *c, const Inst *i);
unsigned addresses_of(const Inst *i);  // how many a trace has of it, if it is executed whole
bool ends_step(const Inst *i);         // no instruction behind it belongs to the same step

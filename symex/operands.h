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
// What an instruction does, as far as nobody wants what it gives or writes.
typedef enum { DOES_OTHER, DOES_RESULT, DOES_LOAD, DOES_STORE, DOES_GET, DOES_PUT } Does;
Does does_what(const Inst *i);
unsigned addresses_of(const Inst *i);  // how many a trace has of it, if it is executed whole
bool ends_step(const Inst *i);         // no instruction behind it belongs to the same step

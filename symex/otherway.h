// symex/otherway -- inside symex/: what the ways of a branch that a run did not take might have done, as far
// as code says it without values.
#pragma once
#include "bytecode.h"

typedef struct {
  bool absolute;  // of a global variable; else of the frame
  uint64_t at, size;
} OtherWrite;
typedef struct {
  bool unknown;  // a store or a call that may write anything that is not a variable of a frame
  bool frame;    // a store to some variable of the frame
  bool misses;   // it may end the process
  Vec(OtherWrite) writes;
} OtherWay;

typedef struct OtherWays OtherWays;
OtherWays *otherways_new(const Bytecode *c);
void otherways_free(OtherWays *o);
const OtherWay *otherway_of(OtherWays *o, uint32_t pc);  // of a branch, all its ways until they meet again

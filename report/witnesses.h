// report/witnesses -- how findings can be reached: files that a replay follows, with their inputs.
#pragma once
#include "sigma/sigma.h"

// Texts as in Finding.
typedef struct {
  const char *input, *recorded, *stdin_note;
} WitnessInput;
// Finding.witness is the number of its Witnesses until the report is settled, then that of the first pair's.
typedef struct {
  Vec(Sigma *) of;  // LIMIT_WITNESSES at most
  Vec(WitnessInput) inputs;
  bool all;  // there are no others
} Witnesses;
typedef Vec(Witnesses) WitnessVec;
void witnesses_free(WitnessVec *v);

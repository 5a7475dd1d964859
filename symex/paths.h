// symex/paths -- inside symex/: which branches of a function a block depends on, and where their ways meet.
#pragma once
#include "bytecode.h"

typedef struct {
  Cfg *cfg;
  bool *dead;        // by block: only leads to the end of the process, without an event. NULL: nobody asked
  uint32_t *parent;  // by block: what is on all ways from it to the end; DOM_NONE
  Lists on;          // by block: those whose branch decides whether it is reached
} Paths;

// past_ends: ways that end the process without another event count as not there: a run may end early.
Paths *paths_new(const Bytecode *c, uint32_t function, bool past_ends);
void paths_free(Paths *p);

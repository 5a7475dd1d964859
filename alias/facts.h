// alias/facts -- the constraints of a module, and the layout of their solution, as the relations that
// share/specialize/points-to.datalog begins with. Private to the folder.
//
// Its places are the spots that the solution has. Contexts only leave out what the solution says, so no other
// spot can come up. What the solution leaves out beside SPOT_UNKNOWN is left out here too.
#pragma once
#include "datalog/datalog.h"
#include "internal.h"

// Hands all relations to a program that has just been read. room: contexts at most; 1: none are told apart,
// and all functions count as entered. clones: what a function makes is another object in each of its contexts.
void facts_give(const Alias *a, uint64_t room, bool clones, Datalog *d);

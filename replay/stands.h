// replay/stands -- whether the threads of a program that runs held to a list wait for each other for ever.
#pragma once
#include "rt/rt.h"

// Slots of the table whose threads can never go on, by what the others have: rings of locks and joins, and
// who waits for those. How many.
size_t stands_ring(const RtReplay *t, bool in[RT_STANDS]);

typedef struct {
  uint64_t seen;  // the ring at the last look
  unsigned times;
  RtStandLook all;
} StandsLook;
// One look at the process, to be repeated: true if a ring, or that all of its threads wait, was seen often
// enough.
bool stands_seen(const RtReplay *t, pid_t pid, StandsLook *look);

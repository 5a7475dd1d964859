// rt/enforce/asleep -- what a thread of this process sleeps for.
#pragma once
#include "enf.h"

typedef enum {
  ASLEEP_NOT,     // it runs
  ASLEEP_NAPS,    // for a time
  ASLEEP_INSIDE,  // only threads of this process can wake it
  ASLEEP_OUTSIDE  // something else may, or it is not known
} Asleep;

// where: mixed with what it sleeps on; stack: with what lies on its stack, if it
// naps, up to limit. deep: also looks whose files
// and sockets it waits for, which takes long; else they count as outside.
HIDDEN Asleep asleep_in(int tid, uintptr_t limit, bool deep, uint64_t *where, uint64_t *stack);

static inline uint64_t asleep_mix(uint64_t hash, uint64_t more) {
  return (hash ^ more) * UINT64_C(0x100000001b3);
}
HIDDEN long asleep_read(const char *name, char *to, size_t size);  // as text; < 0: there is no such file
// Calls each for the names in a directory until it says false, which is the result; false also without it.
HIDDEN bool asleep_list(const char *directory, bool (*each)(const char *name, void *), void *with);

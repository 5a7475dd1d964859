// flow/shared -- memory of which nothing is known although the program's code shows all its writes: what
// other processes may write, what the library keeps for itself, what a map may replace.
#pragma once
#include "alias/alias.h"

typedef enum {
  SHARED_NO_MAPS,
  SHARED_MAPS,   // memory is mapped that is, or may be, shared with other processes
  SHARED_REMAPS  // memory that is there already may be mapped anew
} SharedMaps;
SharedMaps shared_maps(LLVMModuleRef m);
bool shared_object(const Alias *a, uint32_t object, SharedMaps maps);  // of such memory

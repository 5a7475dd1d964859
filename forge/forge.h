// forge -- the pipeline of `specialize build`. Include this, never a header behind it.
//
// In: an opened program and a Σ. Out: the program that keeps its schedules (specializer_build), or the view
// of one schedule for analyses (specializer_view). It chooses the schedules, keeps to the budget by leaving
// out locks, has cfspec/ make the clones, cuts the module into units, and emits or takes them from the cache
// (emitter, cache). The same input gives the same bytes. Anything left out is said.
#pragma once
#include "cache.h"
#include "specializer.h"

// deadlock/meet -- whether the threads of a cycle can stand at its wishes at the same time, and after which
// events.
#pragma once
#include "cycles.h"
#include "reach.h"

// events: for each step of the cycle where its thread wishes it. False: create, join or a barrier is always
// between.
bool meet_unordered(const Order *o, const Sure *sure, const Wishes *w, const Cycle *c, uint32_t *events);
// The same, reached by events that took place in the run, each lock taken in the recorded order. Begins at
// `events` and goes on to later ones. reach says then which events have taken place.
bool meet_reached(const Order *o, Reach *reach, const Wishes *w, const Cycle *c, uint32_t *events);

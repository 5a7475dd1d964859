// sigma/clock -- vector clocks that share what they have in common. A clock is an index, 0 is
// the empty one; it never changes.
#pragma once
#include "core/core.h"

typedef struct Clocks Clocks;
Clocks *clocks_new(uint32_t threads);
void clocks_free(Clocks *cs);
uint32_t clock_of(const Clocks *cs, uint32_t clock, uint32_t thread);  // 0 if nothing is known of it
// From here on, clock_join may write over the clocks that it has made since, if they are its a: they were
// steps on the way. Call it when a clock is to be kept.
void clocks_keep(Clocks *cs);
// The later of both in every thread, and of this thread count.
uint32_t clock_join(Clocks *cs, uint32_t a, uint32_t b, uint32_t thread, uint32_t count);
void clocks_finish(Clocks *cs);  // gives back memory that was kept for more
size_t clocks_memory(const Clocks *cs);
// Asserts that it is whole, as far as these clocks reach.
void clocks_check(const Clocks *cs, const uint32_t *clocks, size_t count);

// race/handmade -- synchronization that programs make of atomics: a loop that leaves only on a value that one
// release store writes comes after that store, and what came before it there.
#pragma once
#include "flow/flow.h"

typedef struct Handmade Handmade;
Handmade *handmade_new(Flow *f);  // which must outlive it
void handmade_free(Handmade *h);
bool handmade_before(const Handmade *h, const Access *x, const Access *y);

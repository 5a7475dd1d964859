// deadlock/alike -- what a cycle looks like in the source: cycles that differ only in the objects of one
// array or class, or in how often they go round, are one finding.
#pragma once
#include "cycles.h"

typedef struct Alike Alike;
Alike *alike_new(const Order *o, const Wishes *w);  // which must outlive it
void alike_free(Alike *a);
uint32_t alike_of(Alike *a, const Cycle *c);  // dense, in the order of first sight

// symex/decides -- inside symex/: which instances of a run decide how its threads synchronize. A judge for
// backwalk.
//
// Kept are events, with what names their objects; and whatever could have led elsewhere: a branch whose other
// way comes to an event, ends the process, or writes or defines what is wanted; a write that could have hit
// what is wanted; an indirect call of such code. "Could" is what points-to says. In a function of the C
// library all of that is kept as soon as anything of it matters.
#pragma once
#include "alias/alias.h"
#include "backwalk.h"

typedef enum { NUMBER_NONE, NUMBER_INT, NUMBER_LONG, NUMBER_UNSIGNED, NUMBER_REAL } TextNumber;

typedef struct Decides Decides;
// All of them must outlive it. past_ends: inputs with which the process ends early do not matter.
Decides *decides_new(const Runner *r, const RunTrace *t, const Alias *a, bool past_ends);
void decides_free(Decides *d);
BackwalkVerdict decides_judge(void *self, Backwalk *w, const BackwalkVisit *v);
// What a function of the C library makes of its first argument; its result is then one instance, a return.
TextNumber decides_number(const Runner *r, uint32_t function);

// flow/meet -- inside flow/: whether two accesses can touch the same byte, by their addresses.
#pragma once
#include "flow.h"
#include "known.h"

typedef struct Meets Meets;
Meets *meets_new(Known *v);  // which must outlive it
void meets_free(Meets *m);
FlowMeeting meets_ask(Meets *m, const Access *x, const Access *y);
bool meets_if(Meets *m, const Access *x, const Access *y, const BvVec *about, BvVec *truths);
FlowFigures meets_figures(const Meets *m);

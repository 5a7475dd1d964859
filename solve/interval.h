// solve/interval -- between which signed numbers terms lie, as far as truths that hold say it.
#pragma once
#include "bv.h"

typedef struct {
  int64_t low, high;
} Interval;
typedef struct Intervals Intervals;
Intervals *intervals_new(const Bvs *t, const Bv *truths, size_t count);
void intervals_free(Intervals *n);
Interval interval_of(Intervals *n, Bv x);
bool interval_holds(const Bvs *t,
                    Bv truth);  // a comparison that holds whatever the variables are; may say no wrongly

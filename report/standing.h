// report/standing -- threads that wait for each other at the end of a schedule: as a finding, and for people.
#pragma once
#include "finding.h"
#include "sigma/sigma.h"

// Where threads stand: in these operations, in the order of threads, behind the first `upto` of their events.
typedef struct {
  const Sigma *sigma;
  uint32_t schedule;
  const Event *standing;
  size_t count;
  const uint32_t *upto;               // by thread; NULL: behind all their events
  char *(*name)(const char *symbol);  // of a function, for people; the caller's. NULL: as it is
} Standing;
// Sets threads, what they hold and wait for, both sides, kind and object.
void finding_standing(Report *r, Finding *f, const Standing *s);
// The picture of a run that stands; nothing if none of its threads is known to.
void report_standing(const Sigma *s, uint32_t schedule, Bytes *out);

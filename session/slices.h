// session/slices -- a recorded run, executed again, and why something in it happened.
#pragma once
#include "report/report.h"

typedef struct {
  const char *app, *sigma;
  uint32_t schedule;
  const char *target;    // FILE:LINE,… sync or value; NULL: the end of the run
  const char *why;       // FILE:LINE; NULL
  const char *expected;  // a file with what the run should have printed; NULL
  bool path;             // with branches whose other way might have mattered
  uint32_t thread;       // SIGMA_NONE: any
  uint64_t tries;  // orders that are tried for what the schedule leaves open; 0: as the table of limits says
} SliceWishes;

typedef enum { SLICE_MADE, SLICE_INCOMPLETE, SLICE_FAILED, SLICE_WRONG } SliceOutcome;
// SLICE_FAILED after an error, SLICE_WRONG if the check found a difference.
SliceOutcome slices_make(const SliceWishes *o, SliceReport *out, Diags *diags);

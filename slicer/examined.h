// slicer/examined -- a recorded run that has been executed again, with all that a slice of it is looked up
// in.
#pragma once
#include "record/record.h"
#include "symex/symex.h"

typedef struct {
  const Program *program;
  Runner *runner;
  const Sigma *sigma;
  uint32_t schedule;
  uint64_t tail;  // as in RunOptions: the order in which the trace was made
  const RunTrace *trace;
  const RunResult *result;
  Instances *all;
  Order *order;
  RunInstance *performed;  // by event: the instance that performed it; step TRACE_NONE: none did
} Examined;

// Everything in `of` but the last three is given, and must outlive it. False: the trace is too long.
bool examined_open(Examined *of, Diags *diags);
void examined_close(Examined *of);

// The event that an instance performed; SIGMA_NONE. Of a wait its end.
uint32_t examined_event(const Examined *of, RunInstance at);
// The innermost instance of the program itself at or around `at`, which may be one of a model. False: there
// is none.
bool examined_own(const Examined *of, RunInstance at, RunInstance *out);
// The last execution of a pc in a frame, at or before a step. False: it was not executed.
bool examined_last(const Examined *of, uint32_t frame, uint32_t pc, uint32_t step, RunInstance *out);

// symex/run -- one recorded run, executed again: from its schedule and the inputs that Σ stores, on the
// stored module.
//
// At each event the run must be where the recording is: same site, same objects, same outcome. Threads take
// turns and are switched at events, in the order of the schedule. No code but the program's own and our
// models of the C library is run; a call of anything else ends the run, and so does an input that the
// recording does not have. Nothing is written outside of this process.
#pragma once
#include "record/record.h"
#include "trace.h"

typedef enum {
  RUN_EXITED,          // as the program does by itself
  RUN_DIED,            // by a signal
  RUN_RECORDING_ENDS,  // the schedule is incomplete, and the run has done what it holds
  RUN_LEFT,            // it is not where the recording is
  RUN_REFUSED,         // it needs what the interpreter does not have
  RUN_LIMIT            // too many instructions
} RunEnd;

typedef struct {
  RunEnd end;
  int status, signal;
  uint64_t fault;  // address that could not be used; 0: none
  char *why;       // of all but RUN_EXITED; else NULL
  char *file;      // of that place; may be NULL
  unsigned line, column;
  uint32_t thread;
  uint64_t instructions, events;
  uint64_t memory;  // bytes that objects and stacks take
  Bytes out, err;
  Strings assumed;     // what the recording does not say and a model made up, such as the time
  uint64_t unwritten;  // reads of bytes that nothing had written
} RunResult;

// What an instance gave: its result; of a store what it stored, of a branch its condition, of a return what
// it returned. A call of a function gives its value at the return. Two words: of vectors and aggregates only
// the first part.
typedef struct {
  bool known;
  uint64_t words[2];
} RunValue;

typedef struct {
  const Sigma *sigma;
  uint32_t schedule;
  uint64_t limit;   // instructions; 0: that of the table of limits
  RunTrace *trace;  // is filled; NULL: none is wanted
  // A number for each of many orders of what the schedule leaves open: threads are switched at random between
  // instructions. Needs a trace. 0: only at events, or where a thread waits.
  uint64_t tail;
  // Instances of an earlier trace of the same run, whose values are wanted; needs a trace.
  const RunInstance *watch;
  size_t watch_count;
  RunValue *values;  // as many
  // A part of an earlier trace of the same run, which is executed beside it; needs a trace. See partial.h.
  struct PartialCheck *check;
  // The same as sigma: the schedule has arguments and inputs, but no events, and gets those of a run in the
  // order that comes by itself: a thread goes on until it waits. NULL: it is followed.
  Sigma *natural;
} RunOptions;

// The bitcode of the models, as installed. False with an error.
bool runner_models(Bytes *out, Diags *diags);

typedef struct Runner Runner;
// Compiles the module of a program for the schedules of s. models: the bitcode that the build made. NULL with
// an error.
Runner *runner_new(const Program *p, const Sigma *s, Span models, Diags *diags);
void runner_free(Runner *r);
// The result is the caller's to free. Errors in diags are of the schedule; what ends the run is in the
// result.
bool runner_run(Runner *r, const RunOptions *o, RunResult *out, Diags *diags);
void run_result_free(RunResult *r);
const char *run_end_word(RunEnd end);

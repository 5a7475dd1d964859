// replay/run -- one run of a program that replays: its table, its input, its output, its end.
#pragma once
#include "ir/ir.h"
#include "rt/rt.h"
#include "sigma/sigma.h"

typedef struct {
  const char *binary;
  const Sigma *witness;
  RtReplay *table;       // as the run finds it; what the run made of it is in its place afterwards
  double timeout;        // seconds
  uint32_t schedule;     // of `witness`, which may have several
  const RtWatch *watch;  // what is to be noted: the header, and which accesses are wanted; NULL: nothing
} ReplayRun;
typedef struct {
  bool started, timed_out;
  bool stood;      // it was ended because its threads wait for each other; the table says where
  int error;       // errno, if it was not started
  int status;      // of wait()
  Bytes out, err;  // at most 16 MiB of each
  RtWatch *watch;  // what was noted; NULL: nothing
  size_t mapped;
} ReplayEnd;

// With the arguments, environment and standard input of the witness; without randomized addresses. When it is
// over or its time is, what it started is killed with it.
// A variable that the schedule would set, to another value than it has, and that makes programs load, run or
// write other files, or whose name is not in the module; NULL: none. m NULL: not asked.
const char *replay_forbidden(const Sigma *s, const Schedule *c, LLVMModuleRef m);
ReplayEnd replay_once(const ReplayRun *r);
void replay_end_free(ReplayEnd *e);
double replay_clock(void);  // seconds since some time

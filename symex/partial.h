// symex/partial -- a run executed again together with a part of it: only the instances of a set are executed
// on memory of their own, in which everything else is a pattern. What they compute must be what the run
// computes.
//
// Control is that of the run. What the C library's host functions and operations wrote is taken over where
// they are in the part, if what they were given is right.
#pragma once
#include "instances.h"
#include "run.h"

typedef struct PartialCheck {
  const Instances *all;
  const uint64_t *kept, *by_data;  // bits; by_data: what they read must be right
  const uint64_t *unwritten;  // addresses of bytes that the part reads and nothing in the run had written
  size_t unwritten_count;
  uint64_t memory;    // bytes that the run takes
  RunInstance fault;  // that the run died in; step TRACE_NONE: it did not
  // Filled in.
  uint64_t values, branches;  // that were compared
  bool differs;
  RunInstance at;  // the first that differs
  const char *what;
} PartialCheck;

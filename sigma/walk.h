// sigma/walk -- inside sigma/: goes through a schedule once, as the threads and objects would, and finds what
// cannot have happened and what must be ordered.
#pragma once
#include "model.h"

// from comes before to in every run of the schedule, and before to in the order of the file. Without credit
// it keeps an outcome what it was, and says nothing about memory.
typedef struct {
  uint32_t to;
  uint32_t from : 31, credit : 1;
} Edge;

// Those who meet at a barrier: they all arrive before any departs. That is ordered by what it is; there are
// no edges.
typedef struct {
  uint32_t object, first, count;  // in members
} Generation;

// All arrays are by event unless they say otherwise.
typedef struct {
  uint32_t *position;  // in its thread
  uint32_t *sequence;  // the events of thread 0 in order, those of thread 1 ...
  uint32_t *begin;     // by thread, and one more: where its events begin in sequence
  uint32_t *path;      // the innermost CALL or CALLBACK that is open, else SIGMA_NONE; a RET is still inside
  uint32_t *generation;  // of barrier events; NULL if there are none
  uint32_t *waker;       // of departures: the signal that woke it, or SIGMA_NONE; NULL if there are none
  Vec(Generation) generations;
  Vec(uint32_t) members;  // events that arrive
  Vec(Edge) edges;        // between threads; sorted by to
  size_t passed;          // events that can have happened so
} Walk;

// False after an error: the first thing that cannot have happened, named by event, file and line.
bool walk_run(Walk *w, const Sigma *s, const Schedule *c, Diags *diags);
bool walk_settle(const Sigma *s, Schedule *c, Diags *diags);  // sigma_settle
void walk_free(Walk *w);
void walk_check(const Walk *w, const Schedule *c);  // asserts that it is whole; after a walk without an error

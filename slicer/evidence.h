// slicer/evidence -- what no dependence shows: pairs of accesses to memory of the slice that nothing orders.
//
// LOST: a thread read and wrote, and another wrote in between. UNORDERED: a value came from another thread,
// and nothing says that it had to. LATE: a value was read, and a write of another thread came only then,
// though nothing says that it had to. Order is that of the schedule; what atomics pass on counts as order
// too.
#pragma once
#include "slice.h"

typedef enum { EVIDENCE_LOST, EVIDENCE_UNORDERED, EVIDENCE_LATE } EvidenceKind;
typedef struct {
  EvidenceKind kind;
  TraceAccess read;   // of the thread that lost; of the other kinds what was read
  TraceAccess write;  // LOST: the one that replaced; else the one that it is about
  TraceAccess other;  // LOST: the one that was replaced
  bool kept;          // the slice has what went wrong
} Evidence;
typedef Vec(Evidence) EvidenceVec;

// Strongest first, one for each pair of lines. looked: how many accesses, from the end; all: those were all.
void evidence_find(const Slice *s, EvidenceVec *out, bool *all);
// A lock that the thread of an instance held there, and the event that took it.
void evidence_locks(const Examined *of, RunInstance at, HeldLocks *out);

// deadlock -- threads that could wait for each other in another order of a recorded run. Include this, never
// a header behind it.
//
// In: a schedule (sigma/), and which of its sites wait as long as it takes. Out: findings and witnesses,
// added to a Report. Between: what surely comes before what (Sure: program order, create, join, barriers; not
// the order in which locks were taken); a Wish for each way in which a thread takes a lock while it has
// others (wishes); cycles of wishes that can stand at the same time (cycles); for each cycle the events that
// lead there, in the recorded order but for what must not have happened yet (reach); orders in which a signal
// or post may come too early, to be tried on the program (chances). Needs no LLVM and runs nothing: replay/
// says whether a program really stops. A cycle without a gate lock is found unless a limit ends the search,
// which the report says.
#pragma once
#include "report/report.h"
#include "sigma/sigma.h"

typedef struct {
  const Sigma *sigma;
  uint32_t schedule;
  const bool *endless;  // by site of Σ: it waits as long as it takes; neither tries nor is timed
  char *(*name)(const char *symbol);  // of functions, for people; the caller's. NULL: as they are
  WitnessVec *witnesses;              // to be filled; NULL: not wanted
  bool (*stop)(void);                 // when it says so, the search ends; may be NULL
} DeadlockOptions;

typedef struct {
  uint64_t waits;   // for a lock, by threads that had others
  uint64_t wishes;  // of these, different ones
  uint64_t steps;   // of the search
  uint64_t cycles;  // that were looked at
} DeadlockFigures;

// Adds findings to out. False after an error: the schedule cannot have happened.
bool deadlock_check(const DeadlockOptions *o, Report *out, DeadlockFigures *figures, Diags *diags);

// session/races -- the races or the deadlocks that the schedules of a file leave, replayed if wanted, marked
// as known or unwanted.
#pragma once
#include "deadlock/deadlock.h"
#include "race/race.h"

typedef struct {
  bool deadlocks;  // not races
  const char *app, *sigma;
  bool only;  // one schedule; else all that are complete
  unsigned long schedule;
  size_t budget, limit;  // as in RaceOptions and DeadlockOptions
  bool replay;
  double seconds;                       // for all replays
  const char *witnesses;                // a directory to write them to; NULL
  const char *baseline, *suppressions;  // files; NULL
  double watch;                         // seconds for a run of each schedule that ranks what was found
  double seconds_checked;               // then no further schedule is looked at; 0: all are
  const char *dump;                     // a file for the code that is analysed; NULL
} FindingsWishes;

typedef struct {
  RaceFigures races;
  DeadlockFigures deadlocks;
} FindingsFigures;

// False after an error: then the report says nothing. After Ctrl-C it says what was found until then.
bool races_find(const FindingsWishes *o, Report *out, FindingsFigures *figures, Diags *diags);

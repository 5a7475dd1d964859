// session/runs -- one run of a program, recorded, and its schedule added to a file.
#pragma once
#include "record/record.h"

// What runs, and where its schedule goes.
typedef struct {
  const Program *module;
  const char *program, *sigma;
} RunOf;
typedef struct {
  SigmaOrder order;
  const char *exclude;  // as exclude_read takes it; NULL
  const char *atomics;  // none, all, or names with commas; NULL: as the schedules that are there
  RecorderOptions how;
  const char *max_events;  // NULL: all
  uint32_t delays;         // the seed of random delays; 0: none
  double constraint_time;  // seconds to compute the constraint in; 0: it stays that of the recorded input
  double seconds;          // then the run is ended; 0: it has all the time it takes
  void (*say)(Diags *d);   // prints what is there: before the program runs, and behind it
  void (*added)(const Sigma *s, uint32_t schedule, bool is_new, const char *path);
} RunWishes;

char *run_find(const char *name);  // by PATH; the caller's
// Opens it so that what is recorded goes with the schedules that are in the file already.
bool run_open(const char *program, const char *sigma, const char *atomics, Program *out, Diags *diags);
bool run_can_save(const RunOf *of, Diags *diags);  // before the run: its schedule can be added there
// Runs it: status is then as wait() gives it, whatever becomes of the recording. False: it could not be run.
bool run_record(const RunOf *of, char *const *argv, const RunWishes *o, int *status, Diags *diags);
// Of a run that was recorded before into the directory `from`. False after an error.
bool run_convert(const RunOf *of, const char *from, const RunWishes *o, Diags *diags);

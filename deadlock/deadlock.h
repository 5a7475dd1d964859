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
  size_t limit;                       // steps of the search; 0: the default
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

// -- waits that may be missed: a signal before the wait that it woke, another thread that comes to a
// semaphore or a lock first. Whether threads wait for ever then, other branches taken and all, only the
// program says: each is to be run.
typedef struct {
  Sigma *prefix;         // what comes first; then all runs as it likes
  uint32_t early, late;  // events: the first comes before the second now
  uint32_t *upto;        // by thread: how many of its events are in the prefix
} Chance;
typedef Vec(Chance) Chances;
// Those of each pair of source places a few. tried: how often which pair was taken, of all schedules so far,
// by names of sites; is added to. False after an error.
bool chances_find(const DeadlockOptions *o, Map *tried, Intern *names, Chances *out, Diags *diags);
void chances_free(Chances *c);

// A thread that stands after a chance was run: where, and for whose end if it joins.
typedef struct {
  uint32_t thread;
  const char *site;  // function#ordinal
  uint32_t joins;    // thread; SIGMA_NONE
} ChanceStood;
// Adds a finding, replayed. False: nothing of it is known from the run.
bool chance_tell(const DeadlockOptions *o, const Chance *c, const ChanceStood *stood, size_t count,
                 Report *out, Diags *diags);

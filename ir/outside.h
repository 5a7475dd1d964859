// ir/outside -- what is known of functions outside the module: what they call back, and when. Tables for
// glibc, libstdc++, the core of libevent and some of libbz2; of other libraries nothing is known.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// During the call; in another thread; on an occasion that comes later; LATER: in any later call of any
// function outside.
typedef enum {
  OUTSIDE_NOW,
  OUTSIDE_THREAD,
  OUTSIDE_AT_EXIT,
  OUTSIDE_AT_QUICK_EXIT,
  OUTSIDE_AT_THREAD_EXIT,
  OUTSIDE_AT_FORK,
  OUTSIDE_ON_EXCEPTION,
  OUTSIDE_ON_SIGNAL,
  OUTSIDE_IN_LOOP,  // of events, which the program calls
  OUTSIDE_LATER,
  OUTSIDE_OCCASIONS
} OutsideWhen;

#define OUTSIDE_MEMORY ((unsigned)-1)
typedef struct {
  const char *name;
  unsigned arg;      // that holds the function; OUTSIDE_MEMORY: it is found in memory
  const char *type;  // the signature it is called with (ir/signature), or "*" and the end of its name
  OutsideWhen when;
} OutsideCall;

// TABLED: it calls what the rows say and nothing else. LIBSTDCXX: also functions that stand in its arguments;
// overriders of virtual functions that the library calls are not looked for. UNKNOWN: anything.
typedef enum { OUTSIDE_UNKNOWN, OUTSIDE_LIBSTDCXX, OUTSIDE_TABLED } OutsideTrust;
OutsideTrust outside_trust(const char *name);
// The rows of a name: first[0] ... first[count - 1]; the count is returned.
size_t outside_calls(const char *name, const OutsideCall **first);
bool outside_runs(const char *name, OutsideWhen when);
// The C and C++ libraries themselves call the program's function of this name, if it has one: malloc and the
// like.
bool outside_replaced(const char *name);

// The names of each table in their order, with repetitions; NULL behind the last.
typedef enum { OUTSIDE_QUIET_NAMES, OUTSIDE_CALLS_NAMES, OUTSIDE_RUNS_NAMES } OutsideTable;
const char *outside_name(OutsideTable table, size_t i);
void outside_check(void);  // asserts that the tables are whole

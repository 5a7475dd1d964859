// record/import -- a recording becomes a schedule.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

// What a recording's numbers mean. `binary` is the program that ran, for the names of addresses.
typedef struct {
  const Sites *sites;
  const Callgraph *graph;
  const Maysync *sync;
  const char *binary;
} ImportNames;

typedef struct {
  SigmaOrder order;
  int status;                     // of the process, as wait() gives it; -1: not known
  const struct Stored *in;        // what was read from standard input; NULL: not known, if anything was
  const struct Exclude *exclude;  // NULL: nothing but what s excludes already
} ImportOptions;

typedef enum {
  IMPORT_KNOWN,    // the schedule is there already and s as it was, but for exclusions, which may be new
  IMPORT_CHANGED,  // what is known of such a schedule is more now
  IMPORT_ADDED
} ImportResult;

struct RtRecording;
// Adds the run of r to s as its last schedule, or gives the number of the one that is there already.
// SIGMA_NONE after an error.
uint32_t import_recording(Sigma *s, const struct RtRecording *r, const ImportNames *n, const ImportOptions *o,
                          ImportResult *result, Diags *diags);

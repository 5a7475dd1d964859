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

struct RtRecording;
// Adds the run of r to s as its last schedule; SIGMA_NONE after an error. A schedule that is there already is
// not added again: its number is returned. *added says which. Exclusions may be added in both cases.
uint32_t import_recording(Sigma *s, const struct RtRecording *r, const ImportNames *n, const ImportOptions *o,
                          bool *added, Diags *diags);

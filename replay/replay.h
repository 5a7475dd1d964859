// replay -- a witness, run on the original program. Include this, never a header behind it.
//
// In: an app and a witness (sigma/): events in their order, then two accesses. Out: whether the two met at
// the same memory, and what followed (ReplayResult); for the findings of a report, their status (judge).
// Between: a variant of the program with hooks, a table that holds its threads (table), runs (run) and what
// they touched (match). Seen is certain; not seen is never called impossible unless every way was tried.
#pragma once
#include "evidence.h"
#include "judge.h"
#include "match.h"
#include "replayer.h"
#include "run.h"
#include "stands.h"
#include "told.h"

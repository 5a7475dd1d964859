// slicer -- how something happened: the statements that a target depends on, and the chain of causes. Include
// this, never a header behind it.
//
// In: a recorded run that symex/ has executed again with a trace (Examined), and a Target: lines, the end of
// the run, its synchronization, what it printed. Out: a Slice, a bit for each instance that was executed and
// the reasons by pc; a SliceReport (report/slice.h) with lines, the chain and the result of the check.
// Between: Gates, what order adds to data and control; Evidence, pairs of accesses that nothing orders. Never
// runs the program, and says what it could not look at.
#pragma once
#include "examined.h"
#include "lines.h"
#include "slice.h"
#include "targets.h"
#include "tell.h"

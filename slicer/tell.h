// slicer/tell -- a chain in plain English, for a report.
#pragma once
#include "chain.h"
#include "report/report.h"

// Executes the run once more for the values. crash: the target is the end of the run.
void chain_tell(const Examined *of, const Chain *c, bool crash, Sources *sources, SliceReport *out,
                Diags *diags);
// Why a line that was executed is not in the slice: which statement replaced what it wrote.
const char *absence_tell(const Slice *s, const PlaceWanted *p, SliceReport *out);

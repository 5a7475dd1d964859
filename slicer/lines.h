// slicer/lines -- a slice as lines of the source, for a report.
#pragma once
#include "report/report.h"
#include "slice.h"

void lines_tell(const Slice *s, SliceReport *out);

// tests/tools/sim_findings -- reports as an analysis could make them, of the given sizes, from a seed.
#pragma once
#include "report/report.h"

// odd: names with control characters, bytes that are not UTF-8, markup, and things that are not known. Not
// settled.
Report *sim_findings(uint64_t seed, size_t count, bool odd);

// race/unknown -- what of the code could not be looked at: threads that could not be followed through it, and
// calls that may lead to code that is not in it. Neither is code without races.
#pragma once
#include "flow/flow.h"
#include "report/report.h"

void unknown_tell(Flow *flow, const Sigma *s, Report *out);

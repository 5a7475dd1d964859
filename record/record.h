// record -- from a run to a schedule. Include this, never a header behind it.
//
// In: an app, opened (Program), and what a run of it left (rt/). Out: the program with hooks (instrument,
// recorder, kept in the cache); a schedule of the recording (import) with what it read (Stored); what may be
// left out of schedules (exclude); whether schedules are walks through the code of their module (validate)
// and where inside main they begin (point). What a schedule cannot express is said, never dropped.
#pragma once
#include "access.h"
#include "exclude.h"
#include "feed.h"
#include "import.h"
#include "instrument.h"
#include "point.h"
#include "program.h"
#include "recorder.h"
#include "stored.h"
#include "validate.h"
#include "variant.h"

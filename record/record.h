// record -- from a run to a schedule: the program with hooks, what its recordings mean, and whether schedules
// fit their module. Include this, never a header behind it.
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

// session -- what verbs do, from their options to a report: record a run, look for races and replay them, ask
// for aliases. Include this, never a header behind it.
#pragma once
#include "enumeration.h"
#include "ask.h"
#include "constraints.h"
#include "differ.h"
#include "failing.h"
#include "inside.h"
#include "meetings.h"
#include "races.h"
#include "runs.h"
#include "slices.h"
#include "tries.h"

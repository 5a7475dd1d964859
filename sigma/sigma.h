// sigma -- Σ: schedules, the constraints under which they hold, their orders, and the file that keeps them.
// docs/sigma.md is the reference of file and constraint language. Include this, never a header behind it.
#pragma once
#include "access.h"
#include "context.h"
#include "event.h"
#include "exclude.h"
#include "file.h"
#include "import.h"
#include "instrument.h"
#include "model.h"
#include "order.h"
#include "point.h"
#include "stored.h"
#include "term.h"
#include "validate.h"
#include "witness.h"

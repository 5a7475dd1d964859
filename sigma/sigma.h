// sigma -- Σ: schedules, the constraints under which they hold, their orders, and the file that keeps them.
// docs/sigma.md is the reference of file and constraint language. Include this, never a header behind it.
#pragma once
#include "context.h"
#include "event.h"
#include "file.h"
#include "model.h"
#include "order.h"
#include "stacks.h"
#include "term.h"
#include "text.h"
#include "witness.h"

// sigma -- Σ: schedules and the constraints under which they hold. Include this, never a header behind it.
//
// In: the text of a file (docs/sigma.md), or events that somebody adds. Out: Sigma, plain data with a
// Schedule for each run; Terms, the constraints, which can be evaluated; Order, what must come before what,
// and whether it can have happened at all; may_interfere, the one question that data flow asks; witnesses.
// Reading is strict: what is wrong is said with file and line. Needs no LLVM: whether a schedule fits a
// program is for record/ to say.
#pragma once
#include "clock.h"
#include "context.h"
#include "event.h"
#include "effect.h"
#include "file.h"
#include "held.h"
#include "model.h"
#include "order.h"
#include "stacks.h"
#include "stuck.h"
#include "term.h"
#include "text.h"
#include "witness.h"

// symex -- the execution of IR for analysis. Include this, never a header behind it.
//
// In: a Program and a Sigma. Out: a Runner, which executes recorded runs again, one instruction of the stored
// module at a time (run.h); a Trace of such a run (trace.h); what an instruction depended on, and a walk
// backwards over all that a target depends on (backwalk.h). Between: Bytecode, our own instructions; Memory;
// Machine, the threads in the order of the schedule. The C library is models/*.c, compiled to bitcode when
// the tools are built. It never runs code of the user's outside the module, writes nothing outside this
// process, and does not change the module.
#pragma once
#include "run.h"
#include "trace.h"
#include "backwalk.h"
#include "instances.h"
#include "partial.h"
#include "constraint.h"
#include "run_constraint.h"
#include "enumerate.h"

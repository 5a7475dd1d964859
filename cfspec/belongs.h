// cfspec/belongs -- what of a specialized module is there for one thread of one schedule.
#pragma once
#include "ir/ir.h"

// Its clones, and the constants that the runtime reads of it; what a schedule has once goes with thread 0.
// False: it is the program's, or there for all schedules.
bool cfspec_belongs(LLVMValueRef global, uint32_t *schedule, uint32_t *thread);

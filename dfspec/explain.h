// dfspec/explain -- for --explain: each guard that went and what it rested on, each that stays and what
// decides there. Nothing is done if nobody wants to know.
#pragma once
#include "probe.h"

// facts: as they are put; bare: the same questions, answered without the constraint.
void explain_removed(const Facts *facts, const Facts *bare);
void explain_kept(LLVMModuleRef m, uint32_t schedule);
// What these facts say of variables, calls and parameters.
void explain_notes(const Facts *facts, DfspecNotes *out);
// The sum of what changed in a schedule.
void explain_sum(uint32_t schedule, const DfspecFigures *f);

// cfspec/disjoint -- tells the optimizer which accesses of clones never meet.
#pragma once
#include "ir/ir.h"

// Gives !alias.scope and !noalias to the clones of a schedule, of one of all that m was specialized to, that
// begins at main's entry. As calls, events order memory whatever they are told. Holds
// because clones are entered by their own threads only and a run that leaves its schedule stops; not for a
// runtime that lets it go on. open: functions that outside code may find by name may be called by it.
// *marked: adds how many instructions.
bool cfspec_disjoint(LLVMModuleRef m, uint32_t schedule, bool open, size_t *marked, Diags *diags);

// dfspec/put -- facts, put into the clones.
#pragma once
#include "probe.h"

// How many changed something. check: a test of each stays behind, and leaves the program if it fails. fold:
// branches become one way, for no pass will do it.
size_t facts_put(LLVMModuleRef m, const Facts *facts, bool check, bool fold, DfspecFigures *out);

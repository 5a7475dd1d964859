// cfspec/check -- whether a specialized module is one: every event a call of its own,
// the events of an activation in one order, no way around them.
#pragma once
#include "ir/ir.h"

// What clones carry, as an attribute.
#define CHECK_CLONE "specialize-clone"
bool check_is_clone(LLVMValueRef function);
bool cfspec_check(LLVMModuleRef m, Diags *diags);
bool check_leaves(LLVMValueRef inst);  // from here on the thread is free, and its code generic

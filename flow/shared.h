// flow/shared -- memory that other processes may write: nothing is known of what it holds.
#pragma once
#include "alias/alias.h"

// The module maps memory that is, or may be, shared with other processes.
bool shared_maps(LLVMModuleRef m);
// This object may be such memory, in a module that does.
bool shared_object(const Alias *a, uint32_t object);

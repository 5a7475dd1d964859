// flow/choose -- calls through pointers that pass a constant by which their targets choose what to do, as the
// managers of std::function do. As long as such a call may mean several functions, each of them seems to do
// all that it ever does; so the call becomes one of a function of ours that compares the pointer with each of
// them and calls it by name, and all of that is inlined.
#pragma once
#include "alias/alias.h"

size_t choose_targets(LLVMModuleRef view, const Alias *a);  // how many calls became such

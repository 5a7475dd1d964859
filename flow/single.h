// flow/single -- __libc_single_threaded, by which libstdc++ chooses between atomic operations and plain ones:
// it is false in every thread that was created, and in main between the first creation and the last join.
#pragma once
#include "code.h"

size_t single_threaded_known(LLVMModuleRef view, const Code *c);  // how many reads became constant

// race/occasion -- functions that run before main and as the process ends, and that nobody else can run but
// by calling them by name.
#pragma once
#include "alias/alias.h"

void occasion_constructors(LLVMModuleRef m, AliasFunctions *out);
void occasion_at_exit(LLVMModuleRef m, AliasFunctions *out);  // given to atexit and the like
bool occasion_ends(LLVMValueRef call);                        // of exit: runs them
bool occasion_lingers(LLVMValueRef call);  // of pthread_exit: the process may end in another thread

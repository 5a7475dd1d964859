// flow/occasion -- functions that run on an occasion: before main, as the process ends, in a loop of events;
// and that nobody else can run but by calling them by name.
#pragma once
#include "alias/alias.h"
#include "ir/ir.h"

void occasion_constructors(LLVMModuleRef m, AliasFunctions *out);
void occasion_destructors(LLVMModuleRef m, AliasFunctions *out);             // of the program, at its end
void occasion_only(LLVMModuleRef m, LibraryWhen when, AliasFunctions *out);  // given to atexit and the like
// Of those at the end of a thread: not as main returns, or exit is called.
bool occasion_of_thread_only(LLVMValueRef f);
bool occasion_ends(LLVMValueRef call);     // of exit: runs them
bool occasion_loops(LLVMValueRef call);    // runs what waits for events
bool occasion_lingers(LLVMValueRef call);  // of pthread_exit: the process may end in another thread

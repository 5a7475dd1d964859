// cfspec/start -- std::thread in a view. libstdc++ takes the state that it is given, starts a thread with a
// routine of its own, which calls the state's run method and deletes the state. In a view that is
// pthread_create with a routine of ours that does the same, so that analyses know who runs what on which
// object.
#pragma once
#include "ir/ir.h"

// In the place of `call`, the runtime's or the program's, whose arguments from `first` on are those of
// std::thread::_M_start_thread. run: what the new thread calls on its state, in the place of `method`.
// Returns the call of pthread_create; `call` has no use any more, and is left to the caller.
LLVMValueRef start_lower(LLVMModuleRef m, LLVMValueRef call, unsigned first, LLVMValueRef run,
                         const char *method, uint32_t thread);
#define START_NOTE "specialize-thread"  // at such routines: the number of the thread
// Nobody else enters the run methods: from now on vtables name a function that is never called instead.
void start_take_out(LLVMModuleRef m, LLVMValueRef method);

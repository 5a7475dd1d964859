// ir/startup -- functions that run before main and behind it without being called: those in llvm.global_ctors and
// llvm.global_dtors, and in the sections that the start of a program and its end go through.
#pragma once
#include "mention.h"

void startup_functions(LLVMModuleRef m, Mentions *out);
void shutdown_functions(LLVMModuleRef m, Mentions *out);

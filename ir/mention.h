// ir/mention -- the functions that constants contain, each once, in the order of sight.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <llvm-c/Core.h>

typedef struct Mentions Mentions;
// into_globals: also what the initial values of global variables contain, on and on.
Mentions *mentions_new(bool into_globals);
void mentions_free(Mentions *m);
void mentions_add(Mentions *m, LLVMValueRef constant);
void mentions_add_body(Mentions *m, LLVMValueRef function);
// Every function whose address a module uses as a value, so that it may be called from anywhere. No such use:
// calling it, comparing its address, naming it as a personality, in llvm.used or in llvm.global_ctors, and
// handing it to a function outside that calls it and never gives it back (pthread_create, qsort).
void mentions_add_module(Mentions *m, LLVMModuleRef module);
size_t mentions_count(const Mentions *m);
LLVMValueRef mentions_at(const Mentions *m, size_t i);
void mentions_check(const Mentions *m);  // asserts that they are whole

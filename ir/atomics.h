// ir/atomics -- atomic instructions that are to be events become calls of functions without a body, which
// core/syncs.def names: so sites, call graph, clones and hooks find them as they find all operations. What
// is no event any more goes back.
//
// Before sites are numbered: Σ says which objects (`atomics` lines), and whoever reads the module for it
// lowers the same. Small functions of the C++ library that lead to an atomic operation and to nothing else
// that synchronizes are inlined first, so that an operation is one event of the program's own function.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>
#include "core/core.h"

// objects: "all", or names of variables all of whose accesses show; empty: nothing is done. False with an
// error: there is no such variable, or its address goes where its accesses do not show. What cannot be an
// event (more than eight bytes, code without a size of its own) is told once.
bool atomics_lower(LLVMModuleRef m, const char *const *objects, size_t count, Diags *diags);
// All calls that are left become instructions again.
void atomics_raise(LLVMModuleRef m);
bool atomics_is_call(LLVMValueRef call);  // of such a function
// Some other code may be ordered by atomic instructions that are no events.
bool atomics_left(LLVMModuleRef m);

// atomic_helpers.c: before atomics_lower.
void atomics_inline_helpers(LLVMModuleRef m);
bool atomics_is_ordinary(LLVMValueRef instruction);  // it is never an event

// alias/fresh -- wrappers: functions that may return memory which they have just allocated. A call of one is
// an allocation of its own, however deep the wrappers are. What else they return (of an allocator that the
// program can be given, memory from a cache) comes to their callers as it does from any function.
#pragma once
#include "ir/ir.h"

typedef struct Fresh Fresh;
Fresh *fresh_new(LLVMModuleRef m, const Summaries *s);
void fresh_free(Fresh *f);
bool fresh_function(const Fresh *f, LLVMValueRef function);
// What a wrapper returns: calls of allocators and wrappers, and other values.
typedef Vec(LLVMValueRef) FreshValues;
const FreshValues *fresh_parts(const Fresh *f, LLVMValueRef wrapper);
// A call of an allocator or of a wrapper, outside the recursion that the wrapper may be part of.
bool fresh_call(const Fresh *f, LLVMValueRef call);
// The wrapper that returns what this call returns; NULL: the memory is its caller's own.
LLVMValueRef fresh_wrapper(const Fresh *f, LLVMValueRef call);
// The bytes of a call's memory, -1 if they are not constant.
int64_t fresh_size(const Fresh *f, LLVMValueRef call);
// An alloca of which only the whole value is loaded and stored: a variable that nothing points to.
bool fresh_is_variable(LLVMValueRef alloca, LLVMTargetDataRef layout);
void fresh_check(const Fresh *f);  // asserts that it is whole

// ir/attribute -- attributes without a value, by name: of functions, and of calls.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>

bool attribute_has(LLVMValueRef function, const char *name);
void attribute_set(LLVMValueRef function, const char *name, bool on);
bool attribute_call_has(LLVMValueRef call, const char *name);
void attribute_call_add(LLVMValueRef call, const char *name);
// A text of ours at a call. Unlike metadata it stays when inlining makes the call an invoke.
void attribute_call_note(LLVMValueRef call, const char *name, const char *text);
const char *attribute_call_noted(LLVMValueRef call, const char *name, unsigned *len);  // NULL: none
// The same at a function.
void attribute_note(LLVMValueRef function, const char *name, const char *text);
const char *attribute_noted(LLVMValueRef function, const char *name, unsigned *len);  // NULL: none
// All that a function has, those of its parameters and result too, and its calling convention.
void attributes_copy(LLVMValueRef from, LLVMValueRef to);

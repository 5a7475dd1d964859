// ir/signature -- which functions an indirect call may mean, judged by types as the machine passes them:
// all integers up to 64 bits and pointers count as equal. More than C allows, and what C programs do.
//
// A signature is a text: the result, then the parameters in brackets, each one letter (v void, i integer or
// pointer, f float, d double) or a type in braces; a dot for "and any others"; of calls, ? for an unused
// result. A function whose type is not known, ?(.), is one that any call may mean.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>

#define SIGNATURE_ANY "specialize-any-type"  // a note at such functions

// The caller frees these.
char *signature_of_function(LLVMValueRef function);
char *signature_of_call(LLVMValueRef call);
// A call may mean a function that takes no more arguments than are passed, of the same kinds, and returns
// what is used. Passing fewer arguments than the function takes is taken to be impossible.
bool signature_fits(const char *call, const char *function);

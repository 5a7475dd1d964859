// alias/once -- code that a run of the program executes at most once.
#pragma once
#include "internal.h"

typedef struct Once Once;
Once *once_new(const Alias *a);  // the solution is there
void once_free(Once *o);
bool once_executes(const Once *o, LLVMValueRef inst);
void once_check(const Once *o);  // asserts that it is whole

// flow/split -- structures that are read and written as one value (pointers to members, pairs), member by
// member, so that each has its own value.
#pragma once
#include <llvm-c/Core.h>

void split_structures(LLVMModuleRef m);

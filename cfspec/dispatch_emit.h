// cfspec/dispatch_emit -- inside dispatch: a tree as LLVM IR.
#pragma once
#include "dispatch_tree.h"
#include "dispatch_var.h"

typedef Vec(Reading) Readings;  // by value, of VAR and ADDR
LLVMValueRef dispatch_emit(LLVMModuleRef m, const Values *vs, const Tree *t, const Readings *readings);

// forge/heat -- which code of clones runs once. An activation runs once, and so does all of its code but its
// loops; these become functions, equal ones only one, whichever clones and schedules they come from. What is
// left needs neither LLVM's passes nor good machine code.
#pragma once
#include "ir/ir.h"

typedef struct {
  size_t loops, functions;  // of clones, and what they became
  size_t cold, hot;         // clones: without and with loops that had to stay, or that run often
} HeatFigures;

// Changes clones, after everything that looks at them.
void heat_split(LLVMModuleRef m, HeatFigures *out);
bool heat_is_cold(LLVMValueRef function);
// That was part of clones; name_len: how much of its name is that of the original.
bool heat_is_loop(LLVMValueRef function, size_t *name_len);

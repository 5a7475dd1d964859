// ir/text -- accesses of text. What std::char_traits copies, moves, assigns and reads is characters, and
// carries no pointers.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>

void text_mark(LLVMModuleRef m);  // of the stored module, before anything is inlined
bool text_is(LLVMValueRef inst);

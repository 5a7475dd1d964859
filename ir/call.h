// ir/call -- what one call instruction calls: call, invoke or callbr.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>
#include "core/core.h"

bool call_is(LLVMValueRef v);
// Of llvm.dbg.*: in LLVM's old debug format these are calls, in its new one records.
bool call_is_debug(LLVMValueRef call);
bool call_is_asm(LLVMValueRef call);
// A constant without its casts and aliases: the function or object that it names. An ifunc stays one.
LLVMValueRef call_strip(LLVMValueRef v);
// The function that is called, through casts and aliases; NULL if the call is indirect, inline assembly or of
// an ifunc. Its type may differ from that of the call.
LLVMValueRef call_function(LLVMValueRef call);

// The operation that a direct call of a library function performs, or NULL. A function that the module itself
// defines is the program's own, whatever its name. Of syscall only futexes with constant numbers are known.
const Sync *sync_of_call(LLVMValueRef call);
// The argument (or for SYNC_RESULT the call) that an operand of it is in; NULL if it has none.
LLVMValueRef sync_operand(LLVMValueRef call, SyncArg operand);
// setjmp and its kin, __builtin_setjmp too: control may come back behind it more than once.
bool call_returns_twice(LLVMValueRef inst);

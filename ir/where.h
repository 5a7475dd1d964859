// ir/where -- the source line of an instruction, a function or a global variable, and diagnostics there.
#pragma once
#include <llvm-c/Core.h>
#include "core/core.h"

// Its own debug location, not that of the call it was inlined at; no file if it has none. Of other values
// nothing is known. The text lives as long as the module.
Place where(LLVMValueRef v);
// The name of a symbol as the source has it, of C++ too; mem_free it.
char *where_name(const char *symbol);
// A name of a function for people: of C++ without parameters and result, and with <…> for what its templates
// are made for. Also takes names that are in the source already; mem_free it.
char *where_short(const char *name);
char *where_names(const char *text);  // with each symbol of C++ in it shown so
// At v, or else at v's function; without debug information the text names the function instead.
void diag_at(Diags *d, DiagKind kind, LLVMValueRef v, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

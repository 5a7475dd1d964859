// ir/module -- LLVM modules from bytes, and back. LLVM owns values; whoever made the context owns the
// module.
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>
#include "core/core.h"

// A context whose errors go into diags instead of ending the process. Dispose with LLVMContextDispose.
LLVMContextRef module_context(Diags *diags);
// NULL with an error that begins with `name`.
LLVMModuleRef module_parse(LLVMContextRef c, Span bitcode, const char *name, Diags *diags);
bool module_verify(LLVMModuleRef m, const char *name, Diags *diags);
void module_bitcode(LLVMModuleRef m, Bytes *out);
bool module_print(LLVMModuleRef m, const char *path, Diags *diags);  // as text

// What a symbol of the module means to other objects.
typedef enum {
  SYMBOL_NONE,      // a declaration, local, or only LLVM's (llvm.used …)
  SYMBOL_OPTIONAL,  // defined, but the object need not have it (linkonce)
  SYMBOL_WEAK,
  SYMBOL_STRONG
} SymbolKind;
SymbolKind module_symbol_kind(LLVMValueRef global);
const char *module_symbol_name(LLVMValueRef global, size_t *len);  // as the linker sees it
// All functions, variables, aliases and ifuncs: for (all_symbols(g, m))
LLVMValueRef module_first_symbol(LLVMModuleRef m);
LLVMValueRef module_next_symbol(LLVMModuleRef m, LLVMValueRef g);
#define all_symbols(g, m)                  \
  LLVMValueRef g = module_first_symbol(m); \
  g;                                       \
  g = module_next_symbol(m, g)
// The function loses its body, the variable its value: others define it.
void module_undefine(LLVMValueRef global);

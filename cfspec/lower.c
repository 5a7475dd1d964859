// The operations of events become code: the fast paths of the runtime, inlined, with their nodes as
// constants.
#include <llvm-c/Linker.h>
#include "cfspec.h"

bool cfspec_lower(LLVMModuleRef m, Span runtime, Diags *diags) {
  LLVMModuleRef fast = module_parse(LLVMGetModuleContext(m), runtime, "enforce.bc", diags);
  if (!fast) return false;
  Strings defined = {0};
  for (all_functions(f, fast))
    if (!LLVMIsDeclaration(f)) vec_push(&defined, mem_string(LLVMGetValueName(f)));
  LLVMSetTarget(fast, LLVMGetTarget(m));
  LLVMSetDataLayout(fast, LLVMGetDataLayoutStr(m));
  bool ok = !LLVMLinkModules2(m, fast);
  for (vec_each(i, &defined)) {
    LLVMValueRef f = LLVMGetNamedFunction(m, defined.at[i]);
    if (!f || LLVMIsDeclaration(f)) continue;
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    attribute_set(f, "noinline", false);
    attribute_set(f, "optnone", false);
    attribute_set(f, "alwaysinline", true);
  }
  strings_free(&defined);
  if (!ok) diag_error(diags, "cannot link the runtime's code into the module");
  return ok;
}

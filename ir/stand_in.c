#include "stand_in.h"
#include <llvm-c/Comdat.h>
#include <string.h>
#include "attribute.h"
#include "core/core.h"

LLVMValueRef stand_in(LLVMModuleRef m, LLVMValueRef f, const char *suffix) {
  static const char *const dropped[] = {"optnone", "noinline", "alwaysinline", "noreturn"};
  size_t len;
  char *name = mem_string(LLVMGetValueName2(f, &len)), *inner = mem_format("%s.%s", name, suffix);
  LLVMValueRef stub = LLVMAddFunction(m, "", LLVMGlobalGetValueType(f));
  LLVMSetValueName2(f, inner, strlen(inner));
  LLVMSetValueName2(stub, name, len);
  attributes_copy(f, stub);
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; ++i) attribute_set(stub, dropped[i], false);
  LLVMSetLinkage(stub, LLVMGetLinkage(f));
  LLVMSetVisibility(stub, LLVMGetVisibility(f));
  LLVMSetComdat(stub, LLVMGetComdat(f));
  LLVMSetComdat(f, NULL);
  LLVMSetVisibility(f, LLVMDefaultVisibility);
  LLVMSetLinkage(f, LLVMInternalLinkage);
  mem_free(name), mem_free(inner);
  return stub;
}

#include "text.h"
#include <string.h>
#include "call.h"
#include "each.h"

static const char kind[] = "specialize.text", traits[] = "_ZNSt11char_traitsI";

static LLVMContextRef context_of(LLVMValueRef inst) {
  return LLVMGetTypeContext(LLVMTypeOf(inst));
}

static unsigned kind_id(LLVMContextRef c) {
  return LLVMGetMDKindIDInContext(c, kind, sizeof kind - 1);
}

static bool moves(LLVMValueRef i) {
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  size_t len;
  return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) ||
         (f && !strncmp(LLVMGetValueName2(f, &len), "llvm.mem", 8));
}

// Its own variables hold pointers to the text.
static bool is_of_variable(LLVMValueRef i) {
  LLVMValueRef p = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
                   : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                                         : NULL;
  return p && LLVMIsAAllocaInst(p);
}

void text_mark(LLVMModuleRef m) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  LLVMValueRef mark = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0));
  for (all_functions(f, m)) {
    size_t len;
    if (strncmp(LLVMGetValueName2(f, &len), traits, sizeof traits - 1)) continue;
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (moves(i) && !is_of_variable(i)) LLVMSetMetadata(i, kind_id(c), mark);
  }
}

bool text_is(LLVMValueRef i) {
  return LLVMGetMetadata(i, kind_id(context_of(i))) != NULL;
}

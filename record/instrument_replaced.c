// The program's own malloc and the like, which the C library calls wherever it likes: inside an event, before
// main, after the last destructor of a thread. Such calls are not recorded. What the linker sees is a
// function that says so around a call of the program's; calls of the module still go there.
#include "instrumenter.h"

static void call_quietly(Instrumenter *k, LLVMValueRef outside, LLVMValueRef inside) {
  LLVMTypeRef type = LLVMGlobalGetValueType(outside);
  unsigned n = LLVMCountParams(outside);
  LLVMValueRef *args = mem_array(n + 1, sizeof *args);
  LLVMGetParams(outside, args);
  LLVMPositionBuilderAtEnd(k->b, LLVMAppendBasicBlockInContext(k->c, outside, ""));
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  hook_call(k, "rt_rec_outside", NULL, 0);
  LLVMValueRef result = LLVMBuildCall2(k->b, type, inside, args, n, "");
  LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(outside));
  hook_call(k, "rt_rec_outside_over", NULL, 0);
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(k->b);
  else
    LLVMBuildRet(k->b, result);
  mem_free(args);
}

void set_replaced_apart(Instrumenter *k) {
  for (uint32_t f = 0; f < callgraph_count(k->graph); ++f) {
    LLVMValueRef v = callgraph_function(k->graph, f);
    bool replaces = !LLVMIsDeclaration(v) && library_replaced(LLVMGetValueName(v));
    if (!replaces || !maysync_function(k->sync, f) || LLVMGetLinkage(v) == LLVMInternalLinkage) continue;
    call_quietly(k, stand_in(k->m, v, "recorded"), v);
  }
}

// A function that synchronizes and whose address is taken can be entered from outside: by pthread_once,
// qsort, a destructor of a thread's variable, the run method of a std::thread. At its address stands a stub,
// which asks the runtime where the thread is in its schedule, and goes on in that clone, or else in the
// original. Direct calls go to the original and pay nothing.
#include "specializer.h"
#include <assert.h>

void stub_forward(Module *k, LLVMValueRef stub, LLVMValueRef to) {
  LLVMTypeRef type = LLVMGlobalGetValueType(stub);
  assert(stub != to && LLVMTypeOf(to) == k->ptr);
  unsigned n = LLVMCountParams(stub);
  LLVMValueRef *args = mem_array(n + 1, sizeof *args);
  LLVMGetParams(stub, args);
  LLVMValueRef call = LLVMBuildCall2(k->b, type, to, args, n, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(stub));
  for (unsigned at = 0; at <= n; ++at) {
    unsigned count = LLVMGetAttributeCountAtIndex(stub, at);
    LLVMAttributeRef *all = mem_array(count + 1, sizeof *all);
    LLVMGetAttributesAtIndex(stub, at, all);
    for (unsigned i = 0; i < count; ++i) LLVMAddCallSiteAttribute(call, at, all[i]);
    mem_free(all);
  }
  LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(k->b);
  else
    LLVMBuildRet(k->b, call);
  mem_free(args);
}

static void write_stub(Module *k, LLVMValueRef stub, LLVMValueRef original) {
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(k->c, stub, "");
  LLVMBasicBlockRef plain = LLVMAppendBasicBlockInContext(k->c, stub, "original");
  LLVMBasicBlockRef clone = LLVMAppendBasicBlockInContext(k->c, stub, "clone");
  LLVMTypeRef type = LLVMFunctionType(k->ptr, &k->ptr, 1, 0);
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  LLVMPositionBuilderAtEnd(k->b, entry);
  LLVMValueRef ask = runtime_function(k, "rt_enf_stub", type, true);
  LLVMValueRef to = LLVMBuildCall2(k->b, type, ask, &stub, 1, "");
  LLVMBuildCondBr(k->b, LLVMBuildIsNull(k->b, to, ""), plain, clone);
  LLVMPositionBuilderAtEnd(k->b, plain);
  stub_forward(k, stub, original);
  LLVMPositionBuilderAtEnd(k->b, clone);
  stub_forward(k, stub, to);
}

// Labels have stayed where they were.
static void keep_labels(LLVMValueRef f, LLVMValueRef stub) {
  Vec(LLVMValueRef) moved = {0};
  for (all_uses(u, stub))
    if (LLVMIsABlockAddress(LLVMGetUser(u))) vec_push(&moved, LLVMGetUser(u));
  for (vec_each(i, &moved))
    LLVMReplaceAllUsesWith(moved.at[i], LLVMBlockAddress(f, LLVMGetBlockAddressBasicBlock(moved.at[i])));
  vec_free(&moved);
}

// All uses go to the stub, direct calls go back.
static void redirect(Module *k, const LLVMValueRef *stub_of) {
  for (uint32_t f = 0, n = callgraph_count(k->graph); f < n; ++f)
    if (stub_of[f]) {
      LLVMReplaceAllUsesWith(callgraph_function(k->graph, f), stub_of[f]);
      keep_labels(callgraph_function(k->graph, f), stub_of[f]);
    }
  Map *back = map_new();
  for (uint32_t f = 0, n = callgraph_count(k->graph); f < n; ++f)
    if (stub_of[f]) map_put(back, map_key(stub_of[f]), map_key(callgraph_function(k->graph, f)));
  for (uint32_t s = 0; s < sites_count(k->sites); ++s) {
    LLVMValueRef call = sites_call(k->sites, s);
    uint64_t f = map_or(back, map_key(LLVMGetCalledValue(call)), 0);
    if (f) LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, (LLVMValueRef)(uintptr_t)f);
  }
  map_free(back);
}

// The C library calls the program's malloc wherever it likes, also in the middle of an event: such calls are
// in no schedule, and run the original.
static bool runs_outside(LLVMValueRef f) {
  return library_replaced(LLVMGetValueName(f));
}

void stubs_make(Module *k) {
  uint32_t n = callgraph_count(k->graph);
  LLVMValueRef *stub_of = mem_array(n + 1, sizeof *stub_of);
  for (uint32_t f = 0; f < n; ++f) {
    LLVMValueRef v = k->address[f] = callgraph_function(k->graph, f);
    if (LLVMIsDeclaration(v) || !maysync_enterable(k->sync, f)) continue;
    if (callgraph_entries(k->graph, f) & ENTRY_MAIN || runs_outside(v)) continue;
    k->address[f] = stub_of[f] = stand_in(k->m, v, "original");
  }
  redirect(k, stub_of);
  for (uint32_t f = 0; f < n; ++f)
    if (stub_of[f]) write_stub(k, stub_of[f], callgraph_function(k->graph, f));
  mem_free(stub_of);
}

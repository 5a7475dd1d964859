#include "borrow.h"
#include "ir.h"

static bool is_callee(LLVMValueRef user, LLVMValueRef f) {
  return LLVMIsAInstruction(user) && call_is(user) && LLVMGetCalledValue(user) == f;
}

// What the table describes; a function with a variable number of arguments cannot be called on.
static bool may_borrow(LLVMValueRef f) {
  const char *name = LLVMGetValueName(f);
  if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || sync_find(name)) return false;
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) || library_trust(name) != LIBRARY_TABLED) return false;
  bool given = false;
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
    if (LLVMIsAFunction(LLVMGetUser(u))) return false;  // handles its exceptions
    given |= !is_callee(LLVMGetUser(u), f);
  }
  return given;
}

static LLVMValueRef body(LLVMModuleRef m, LLVMValueRef f) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f);
  unsigned count = LLVMCountParamTypes(type);
  LLVMValueRef made = LLVMAddFunction(m, "", type);
  char *name = mem_format("%s.borrowed", LLVMGetValueName(f));
  LLVMSetValueName2(made, name, strlen(name));
  LLVMSetLinkage(made, LLVMInternalLinkage);
  LLVMContextRef c = LLVMGetModuleContext(m);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, made, ""));
  LLVMValueRef *arguments = mem_array(count + 1, sizeof *arguments);
  LLVMGetParams(made, arguments);
  LLVMValueRef result = LLVMBuildCall2(b, type, f, arguments, count, "");
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(b);
  else
    LLVMBuildRet(b, result);
  LLVMDisposeBuilder(b);
  mem_free(arguments), mem_free(name);
  return made;
}

// Back to the library's own: calls, and the routines of threads.
static void restore(LLVMModuleRef m, LLVMValueRef made, LLVMValueRef f) {
  for (all_functions(g, m))
    for (all_blocks(block, g))
      for (all_insts(i, block)) {
        const Sync *s = call_is(i) ? sync_of_call(i) : NULL;
        if (is_callee(i, made)) LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, f);
        if (s && s->kind == SYNC_CREATE && s->start.place == SYNC_VALUE &&
            LLVMGetOperand(i, s->start.arg) == made)
          LLVMSetOperand(i, s->start.arg, f);
      }
}

void borrow_bodies(LLVMModuleRef m) {
  Vec(LLVMValueRef) all = {0};
  for (all_functions(f, m))
    if (may_borrow(f)) vec_push(&all, f);
  for (vec_each(i, &all)) {
    LLVMValueRef f = all.at[i], made = body(m, f), call = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(made));
    LLVMReplaceAllUsesWith(f, made);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, f);
    restore(m, made, f);
  }
  vec_free(&all);
}

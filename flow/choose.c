#include "choose.h"
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "cfspec/cfspec.h"
#include "ir/ir.h"

enum { MOST_TARGETS = 12 };

// Branches by a parameter, or by what was widened from it.
static bool decides(LLVMValueRef v, unsigned depth) {
  for (all_uses(u, v)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsASwitchInst(user) || LLVMIsAICmpInst(user)) return true;
    if (depth && LLVMIsACastInst(user) && decides(user, depth - 1)) return true;
  }
  return false;
}

static bool fits(LLVMValueRef call, LLVMValueRef f) {
  return !LLVMIsDeclaration(f) && LLVMGlobalGetValueType(f) == LLVMGetCalledFunctionType(call) &&
         LLVMGetFunctionCallConv(f) == LLVMGetInstructionCallConv(call);
}

static bool chooses(LLVMValueRef call, LLVMValueRef f) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(f); ++i)
    if (LLVMIsAConstantInt(LLVMGetOperand(call, i)) && decides(LLVMGetParam(f, i), 1)) return true;
  return false;
}

static int by_name(const void *x, const void *y) {
  size_t len;
  return strcmp(LLVMGetValueName2(*(const LLVMValueRef *)x, &len),
                LLVMGetValueName2(*(const LLVMValueRef *)y, &len));
}

static bool is_wanted(LLVMValueRef call, const AliasFunctions *targets) {
  uint32_t thread, first, last;
  bool all = targets->len > 0 && targets->len <= MOST_TARGETS, some = false;
  if (cfspec_event_of(call, &thread, &first, &last) || LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)))
    return false;
  for (vec_each(i, targets)) {
    all = all && fits(call, targets->at[i]);
    some |= all && chooses(call, targets->at[i]);
  }
  return all && some;
}

static void call_target(LLVMBuilderRef b, LLVMValueRef chooser, LLVMValueRef target) {
  unsigned n = LLVMCountParams(target);
  LLVMValueRef *args = mem_array(n + 2, sizeof *args);
  LLVMTypeRef type = LLVMGlobalGetValueType(target);
  LLVMGetParams(chooser, args);
  LLVMValueRef made = LLVMBuildCall2(b, type, target, args + 1, n, "");
  LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(target));
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(b);
  else
    LLVMBuildRet(b, made);
  mem_free(args);
}

// f(p, arguments): calls the target that p is. There is no other.
static LLVMValueRef make_chooser(LLVMModuleRef m, const AliasFunctions *targets) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMTypeRef type = LLVMGlobalGetValueType(targets->at[0]);
  unsigned n = LLVMCountParamTypes(type);
  LLVMTypeRef *types = mem_array(n + 2, sizeof *types);
  types[0] = LLVMPointerTypeInContext(c, 0);
  LLVMGetParamTypes(type, types + 1);
  LLVMValueRef f =
      LLVMAddFunction(m, "specialize.choose", LLVMFunctionType(LLVMGetReturnType(type), types, n + 1, 0));
  LLVMSetLinkage(f, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, f, ""));
  for (vec_each(i, targets)) {
    if (i + 1 == targets->len) {
      call_target(b, f, targets->at[i]);
      break;
    }
    LLVMBasicBlockRef is = LLVMAppendBasicBlockInContext(c, f, ""),
                      other = LLVMAppendBasicBlockInContext(c, f, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, LLVMGetParam(f, 0), targets->at[i], ""), is, other);
    LLVMPositionBuilderAtEnd(b, is);
    call_target(b, f, targets->at[i]);
    LLVMPositionBuilderAtEnd(b, other);
  }
  LLVMDisposeBuilder(b);
  mem_free(types);
  return f;
}

static void replace(LLVMModuleRef m, LLVMValueRef call, LLVMValueRef chooser) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  unsigned n = LLVMGetNumArgOperands(call);
  LLVMValueRef *args = mem_array(n + 2, sizeof *args), made;
  args[0] = LLVMGetCalledValue(call);
  for (unsigned i = 0; i < n; ++i) args[i + 1] = LLVMGetOperand(call, i);
  LLVMPositionBuilderBefore(b, call);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
  LLVMTypeRef type = LLVMGlobalGetValueType(chooser);
  made = LLVMIsAInvokeInst(call) ? LLVMBuildInvoke2(b, type, chooser, args, n + 1, LLVMGetNormalDest(call),
                                                    LLVMGetUnwindDest(call), "")
                                 : LLVMBuildCall2(b, type, chooser, args, n + 1, "");
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(b);
  mem_free(args);
}

typedef struct {
  LLVMValueRef call;
  AliasFunctions targets;
} Choice;

size_t choose_targets(LLVMModuleRef m, const Alias *a) {
  Vec(Choice) all = {0};
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        Choice x = {.call = i};
        bool indirect = call_is(i) && !LLVMIsACallBrInst(i) && !call_is_asm(i) && !call_function(i);
        bool known = indirect && !alias_targets(a, i, &x.targets);
        if (x.targets.len > 1) qsort(x.targets.at, x.targets.len, sizeof *x.targets.at, by_name);
        if (known && is_wanted(i, &x.targets))
          vec_push(&all, x);
        else
          vec_free(&x.targets);
      }
  for (vec_each(i, &all)) {
    replace(m, all.at[i].call, make_chooser(m, &all.at[i].targets));
    vec_free(&all.at[i].targets);
  }
  size_t n = all.len;
  vec_free(&all);
  return n;
}

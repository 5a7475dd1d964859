#include "put.h"
#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include "cfspec/cfspec.h"

typedef struct {
  LLVMModuleRef m;
  LLVMBuilderRef b;
  bool check, fold;
} Put;

static LLVMValueRef value_of(const Put *p, const Fact *f, LLVMTypeRef type) {
  LLVMContextRef c = LLVMGetModuleContext(p->m);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) return LLVMConstInt(type, f->value, 0);
  if (!f->base) return LLVMConstNull(type);
  if (!f->value) return f->base;
  LLVMValueRef by = LLVMConstInt(LLVMInt64TypeInContext(c), f->value, 1);
  return LLVMConstGEP2(LLVMInt8TypeInContext(c), f->base, &by, 1);
}

// -- tests at run time

static LLVMValueRef text(Put *p, const char *what) {
  LLVMContextRef c = LLVMGetModuleContext(p->m);
  LLVMValueRef t = LLVMConstStringInContext2(c, what, strlen(what), 0);
  LLVMValueRef g = LLVMAddGlobal(p->m, LLVMTypeOf(t), "specialize.fact");
  LLVMSetInitializer(g, t);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  return g;
}

static void test(Put *p, LLVMValueRef before, LLVMValueRef real, LLVMValueRef is, const char *kind) {
  LLVMContextRef c = LLVMGetModuleContext(p->m);
  LLVMTypeRef word = LLVMInt32TypeInContext(c), types[] = {word, LLVMPointerTypeInContext(c, 0)};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), types, 2, 0);
  LLVMValueRef f = LLVMGetNamedFunction(p->m, "rt_enf_fact");
  if (!f) {
    f = LLVMAddFunction(p->m, "rt_enf_fact", type);
    attribute_set(f, "nounwind", true);
    attribute_set(f, "willreturn", true);
  }
  Place w = where(before);
  char *what = mem_format("%s:%u: %s", w.file ? w.file : "?", w.line, kind);
  LLVMPositionBuilderBefore(p->b, before);
  LLVMSetCurrentDebugLocation2(p->b, LLVMInstructionGetDebugLoc(before));
  LLVMValueRef same = LLVMBuildICmp(p->b, LLVMIntEQ, real, is, "");
  LLVMValueRef args[] = {LLVMBuildZExt(p->b, same, word, ""), text(p, what)};
  LLVMBuildCall2(p->b, type, f, args, 2, "");
  mem_free(what);
}

// -- changes

// Of what no pass will look at. Blocks share no values but through memory there, so nothing else changes.
static void go_one_way(Put *p, LLVMValueRef branch, bool value) {
  LLVMBasicBlockRef to = LLVMGetSuccessor(branch, value ? 0 : 1);
  assert(!LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(branch, value ? 1 : 0))));
  LLVMPositionBuilderBefore(p->b, branch);
  LLVMSetCurrentDebugLocation2(p->b, LLVMInstructionGetDebugLoc(branch));
  LLVMBuildBr(p->b, to);
  LLVMInstructionEraseFromParent(branch);
}

static void put_condition(Put *p, const Fact *f) {
  LLVMValueRef was = probe_condition(f->inst), is = value_of(p, f, LLVMTypeOf(was));
  if (p->check) test(p, f->inst, was, is, "the way that a branch takes");
  if (LLVMIsASwitchInst(f->inst))
    LLVMSetOperand(f->inst, 0, is);
  else if (p->fold)
    go_one_way(p, f->inst, f->value != 0);
  else
    LLVMSetCondition(f->inst, is);
}

// All uses but those of the test, which is put in afterwards.
static void put_value(Put *p, LLVMValueRef x, const Fact *f, LLVMValueRef before) {
  LLVMValueRef is = value_of(p, f, LLVMTypeOf(x));
  LLVMReplaceAllUsesWith(x, is);
  if (!p->check) return;
  test(p, before, x, is, LLVMIsAArgument(x) ? "a parameter" : "a value");
  probe_settle(x);
}

static LLVMValueRef behind(LLVMValueRef i) {
  LLVMValueRef at = LLVMGetNextInstruction(i);
  while (LLVMIsAPHINode(at)) at = LLVMGetNextInstruction(at);
  return at;
}

static LLVMValueRef behind_allocas(LLVMValueRef function) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (LLVMIsAAllocaInst(at)) at = LLVMGetNextInstruction(at);
  return at;
}

static void put(Put *p, const Fact *f, DfspecFigures *out) {
  if (LLVMIsAFunction(f->inst)) {
    put_value(p, LLVMGetParam(f->inst, f->parameter), f, behind_allocas(f->inst));
    out->values++;
    return;
  }
  if (LLVMIsATerminatorInst(f->inst)) {
    put_condition(p, f);
    if (f->guard) *(f->solved ? &out->by_solver : &out->by_value) += 1;
    return;
  }
  bool address = LLVMGetTypeKind(LLVMTypeOf(f->inst)) == LLVMPointerTypeKind;
  out->loads += LLVMIsALoadInst(f->inst) != NULL;
  *(address ? &out->addresses : &out->values) += 1;
  put_value(p, f->inst, f, behind(f->inst));
}

size_t facts_put(LLVMModuleRef m, const Facts *facts, bool check, bool fold, DfspecFigures *out) {
  Put p = {m, LLVMCreateBuilderInContext(LLVMGetModuleContext(m)), check, fold};
  size_t changed = 0;
  for (vec_each(i, facts)) {
    if (facts->at[i].what != FACT_IS) continue;
    put(&p, &facts->at[i], out);
    changed++;
  }
  LLVMDisposeBuilder(p.b);
  return changed;
}

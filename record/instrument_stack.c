// The calls that a thread is in, as one number (rt/roll.h): changed in front of a call that may synchronize,
// and what it was before behind it. So it is right again however control comes back, and frames that outside
// code has unwound do no harm.
#include "instrumenter.h"
#include "rt/rt.h"

static LLVMValueRef variable(Instrumenter *k) {
  LLVMValueRef g = LLVMGetNamedGlobal(k->m, "rt_roll_stack");
  if (g) return g;
  g = LLVMAddGlobal(k->m, k->i32, "rt_roll_stack");
  LLVMSetThreadLocalMode(g, LLVMInitialExecTLSModel);
  return g;
}

LLVMValueRef stack_now(Instrumenter *k) {
  return LLVMBuildLoad2(k->b, k->i32, variable(k), "");
}

void stack_set(Instrumenter *k, LLVMValueRef to) {
  LLVMBuildStore(k->b, to, variable(k));
}

void stack_call(Instrumenter *k, LLVMValueRef now, uint32_t site) {
  LLVMValueRef with = LLVMBuildAdd(k->b, now, number(k, site + 1), "");
  stack_set(k, LLVMBuildMul(k->b, with, number(k, ROLLED_FACTOR), ""));
}

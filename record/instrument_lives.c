// Where memory ends that atomic operations may have used: what is there later is another object. Blocks that
// are freed, and locals whose address goes elsewhere, when their function is left.
#include <assert.h>
#include "instrumenter.h"

static bool frees(LLVMValueRef call) {
  static const char *const names[] = {
      "free",   "_ZdlPv",  "_ZdlPvm", "_ZdlPvSt11align_val_t", "_ZdlPvmSt11align_val_t",
      "_ZdaPv", "_ZdaPvm", "cfree"};
  LLVMValueRef f = call_is(call) ? call_function(call) : NULL;
  for (size_t i = 0; f && i < sizeof names / sizeof *names; ++i)
    if (LLVMIsDeclaration(f) && !strcmp(LLVMGetValueName(f), names[i])) return true;
  return false;
}

static bool goes_elsewhere(LLVMValueRef local) {
  for (all_uses(u, local)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool stored_to = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != local;
    if (!LLVMIsALoadInst(user) && !stored_to && !(call_is(user) && call_is_debug(user))) return true;
  }
  return false;
}

typedef Vec(LLVMValueRef) Values;

static void end_locals(Instrumenter *k, const Values *locals, LLVMValueRef end) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->m);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(k->c);
  for (vec_each(i, locals)) {
    LLVMTypeRef type = LLVMGetAllocatedType(locals->at[i]);
    LLVMValueRef args[] = {locals->at[i], LLVMConstInt(i64, LLVMABISizeOfType(layout, type), 0)};
    stand_before(k, end);
    hook_call(k, "rt_rec_over", args, 2);
  }
}

static void hook_function_lives(Instrumenter *k, LLVMValueRef f) {
  Values locals = {0}, ends = {0}, freed = {0};
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      bool one = LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
                 LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) == 1;
      if (one && b == LLVMGetEntryBasicBlock(f) && goes_elsewhere(i)) vec_push(&locals, i);
      if (LLVMIsAReturnInst(i) || LLVMIsAResumeInst(i)) vec_push(&ends, i);
      if (frees(i)) vec_push(&freed, i);
    }
  for (vec_each(i, &ends)) end_locals(k, &locals, ends.at[i]);
  for (vec_each(i, &freed)) {
    LLVMValueRef block = LLVMGetArgOperand(freed.at[i], 0);
    stand_before(k, freed.at[i]);
    hook_call(k, "rt_rec_freed", &block, 1);
  }
  vec_free(&locals), vec_free(&ends), vec_free(&freed);
}

// How large a block is only the C library knows of its own.
void hook_lives(Instrumenter *k) {
  LLVMValueRef allocator = LLVMGetNamedFunction(k->m, "malloc");
  bool atomics = false;
  for (all_functions(f, k->m)) atomics |= !strncmp(LLVMGetValueName(f), "specialize_atomic_", 18);
  if (!atomics || (allocator && !LLVMIsDeclaration(allocator))) return;
  for (all_functions(f, k->m))
    if (!LLVMIsDeclaration(f) && !is_resolver(k, f)) hook_function_lives(k, f);
}

// Pointers that become numbers and are hashed, or are stored, returned or passed as numbers: what is decided
// by them differs from run to run, since memory lies elsewhere. Differences of pointers, comparisons and
// alignment tell nothing of where memory lies.
#include "instrumenter.h"

typedef Vec(LLVMValueRef) Values;

static void add(Values *work, Map *seen, LLVMValueRef v) {
  if (map_or(seen, map_key(v), 0)) return;
  map_put(seen, map_key(v), 1);
  vec_push(work, v);
}

// A variable that is only read and written as a whole.
static bool is_plain_variable(LLVMValueRef v) {
  if (!LLVMIsAAllocaInst(v)) return false;
  for (all_uses(u, v)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool whole = LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != v);
    if (!whole && !LLVMIsADbgInfoIntrinsic(user)) return false;
  }
  return true;
}

static void add_loads(Values *work, Map *seen, LLVMValueRef variable) {
  for (all_uses(u, variable))
    if (LLVMIsALoadInst(LLVMGetUser(u))) add(work, seen, LLVMGetUser(u));
}

// Whether this use makes more of the number than a place in memory; what carries it on is looked at, too.
static bool use_decides(LLVMValueRef user, LLVMValueRef v, Values *work, Map *seen) {
  switch (LLVMGetInstructionOpcode(user)) {
    case LLVMURem:
    case LLVMSRem:
    case LLVMUDiv:
    case LLVMMul:
    case LLVMXor:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMShl:
    case LLVMRet:
      return true;
    case LLVMSub:
      if (LLVMIsAPtrToIntInst(LLVMGetOperand(user, 0)) && LLVMIsAPtrToIntInst(LLVMGetOperand(user, 1)))
        return false;
      add(work, seen, user);
      return false;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMAdd:
    case LLVMOr:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
      add(work, seen, user);
      return false;
    case LLVMStore:
      if (!is_plain_variable(LLVMGetOperand(user, 1))) return true;
      add_loads(work, seen, LLVMGetOperand(user, 1));
      return false;
    case LLVMCall:
    case LLVMInvoke:
      return !LLVMIsAIntrinsicInst(user) && LLVMGetCalledValue(user) != v;
    default:
      return false;
  }
}

static bool decides(LLVMValueRef number) {
  Values work = {0};
  Map *seen = map_new();
  bool is = false;
  add(&work, seen, number);
  while (work.len && !is) {
    LLVMValueRef v = vec_pop(&work);
    for (all_uses(u, v)) is |= use_decides(LLVMGetUser(u), v, &work, seen);
  }
  map_free(seen);
  vec_free(&work);
  return is;
}

void hook_addresses(Instrumenter *k) {
  Values found = {0};
  for (all_functions(f, k->m))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (LLVMIsAPtrToIntInst(i) && LLVMTypeOf(LLVMGetOperand(i, 0)) == k->ptr && !is_resolver(k, f) &&
            decides(i))
          vec_push(&found, i);
  for (vec_each(i, &found)) {
    LLVMValueRef pointer = LLVMGetOperand(found.at[i], 0);
    stand_before(k, LLVMGetNextInstruction(found.at[i]));
    hook_call(k, "rt_rec_address", &pointer, 1);
  }
  vec_free(&found);
}

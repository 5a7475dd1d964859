// What is known to be a number, in code that runs once, becomes that number where it is used. Loads and calls
// stay; a call through a pointer to a function that is known becomes a call of it.
#include "knower.h"

typedef struct {
  LLVMValueRef inst;
  uint64_t value;
} Constant;
typedef Vec(Constant) Constants;

static void find(Known *v, const CodeFunction *f, Constants *out) {
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      uint64_t c;
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind || !known_width(v, LLVMTypeOf(i)) ||
          !LLVMGetFirstUse(i))
        continue;
      Bv x = known_value(v, i, i, 1);
      if (x != BV_NONE && bv_is_const(v->t, x, &c)) vec_push(out, ((Constant){i, c}));
    }
}

// NULL: not known, or it is called as a function of another type.
static LLVMValueRef target_of(Known *v, LLVMValueRef call) {
  LLVMValueRef pointer = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(pointer) || LLVMIsAInlineAsm(pointer)) return NULL;
  Bv x = known_value(v, pointer, call, 1);
  LLVMValueRef f = x == BV_NONE ? NULL : known_object(v, x);
  bool fits = f && LLVMIsAFunction(f) && LLVMGlobalGetValueType(f) == LLVMGetCalledFunctionType(call);
  return fits && LLVMGetFunctionCallConv(f) == LLVMGetInstructionCallConv(call) ? f : NULL;
}

size_t known_call(Known *v) {
  size_t n = 0;
  for (size_t i = 0; i < code_count(v->code); ++i) {
    const CodeFunction *f = code_at(v->code, i);
    if (!f->root) continue;
    for (all_blocks(b, f->function))
      for (all_insts(k, b)) {
        LLVMValueRef target = call_is(k) ? target_of(v, k) : NULL;
        if (!target) continue;
        LLVMSetOperand(k, (unsigned)LLVMGetNumOperands(k) - 1, target);
        n++;
      }
  }
  return n;
}

size_t known_substitute(Known *v) {
  Constants all = {0};
  for (size_t i = 0; i < code_count(v->code); ++i)
    if (code_at(v->code, i)->root) find(v, code_at(v->code, i), &all);
  for (vec_each(i, &all)) {
    LLVMValueRef inst = all.at[i].inst;
    LLVMReplaceAllUsesWith(inst, LLVMConstInt(LLVMTypeOf(inst), all.at[i].value, 0));
  }
  size_t n = all.len;
  vec_free(&all);
  return n;
}

// What is known to be a number, in code that runs once, becomes that number where it is used. Loads and calls
// stay.
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

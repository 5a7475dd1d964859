// What is known to be a number, in code that runs once, becomes that number where it is used. Loads and calls
// stay; a call through a pointer to a function that is known becomes a call of it.
#include "knower.h"
#include <assert.h>

typedef struct {
  LLVMValueRef inst;
  uint64_t value;
  LLVMValueRef base;  // a variable, value bytes behind whose begin it points; NULL: a number
} Constant;
typedef Vec(Constant) Constants;

// A pointer that is read from memory, and is one into a variable.
static bool address_of(Known *v, LLVMValueRef load, Constant *out) {
  Linear sum;
  if (!LLVMIsALoadInst(load) || LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMPointerTypeKind) return false;
  Bv x = LLVMGetFirstUse(load) ? known_value(v, load, load, 1) : BV_NONE;
  if (x == BV_NONE || !linear_of(v->t, x, &sum) || sum.count != 1 || sum.part[0].factor != 1) return false;
  LLVMValueRef base = known_object(v, sum.part[0].atom);
  if (!base || !LLVMIsAGlobalVariable(base) || LLVMIsThreadLocal(base)) return false;
  *out = (Constant){load, sum.constant, base};
  return true;
}

static void find(Known *v, const CodeFunction *f, Constants *out) {
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      uint64_t c;
      Constant address;
      if (address_of(v, i, &address)) vec_push(out, address);
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind || !known_width(v, LLVMTypeOf(i)) ||
          !LLVMGetFirstUse(i))
        continue;
      Bv x = known_value(v, i, i, 1);
      if (x != BV_NONE && bv_is_const(v->t, x, &c)) vec_push(out, ((Constant){i, c, NULL}));
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

// A branch out of a loop that is taken in the first round ends the loop then: it is taken always.
static bool leaves_at_once(Known *v, const CodeFunction *f, uint32_t loop, LLVMValueRef branch, bool *how) {
  uint32_t block = cfg_of(f->cfg, branch);
  uint64_t is;
  Ids latches = loop_latches(f->loops, loop);
  for (vec_each(i, &latches))
    if (!dom_of(f->dom, block, latches.at[i])) return false;
  Bv truth = known_value(v, LLVMGetCondition(branch), branch, 1);
  if (truth == BV_NONE) return false;
  LLVMValueRef header = LLVMBasicBlockAsValue(cfg_block(f->cfg, loop_header(f->loops, loop)));
  Bv first = bv_substitute(v->t, truth, known_var(v, 64, VAR_ROUND, header, 1), bv_const(v->t, 64, 0));
  if (!bv_is_const(v->t, first, &is)) return false;
  *how = is != 0;
  return !loop_has(f->loops, loop, cfg_id(f->cfg, LLVMGetSuccessor(branch, is ? 0 : 1)));
}

typedef struct {
  LLVMValueRef branch;
  bool how;
} Exit;
typedef Vec(Exit) Exits;

static void find_exits(Known *v, const CodeFunction *f, Exits *out) {
  for (uint32_t b = 0; b < cfg_count(f->cfg); ++b) {
    uint32_t loop = loops_of(f->loops, b);
    Exit x = {LLVMGetBasicBlockTerminator(cfg_block(f->cfg, b)), false};
    if (loop == LOOP_NONE || !LLVMIsABranchInst(x.branch) || !LLVMIsConditional(x.branch)) continue;
    if (LLVMIsAConstant(LLVMGetCondition(x.branch))) continue;
    if (leaves_at_once(v, f, loop, x.branch, &x.how)) vec_push(out, x);
  }
}

static LLVMValueRef constant_of(const Constant *c) {
  LLVMTypeRef type = LLVMTypeOf(c->inst);
  assert(!c->base == (LLVMGetTypeKind(type) == LLVMIntegerTypeKind));
  if (!c->base) return LLVMConstInt(type, c->value, 0);
  if (!c->value) return c->base;
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMValueRef by = LLVMConstInt(LLVMInt64TypeInContext(context), c->value, 1);
  return LLVMConstGEP2(LLVMInt8TypeInContext(context), c->base, &by, 1);
}

size_t known_substitute(Known *v) {
  Constants all = {0};
  Exits exits = {0};
  for (size_t i = 0; i < code_count(v->code); ++i)
    if (code_at(v->code, i)->root) {
      find(v, code_at(v->code, i), &all);
      find_exits(v, code_at(v->code, i), &exits);
    }
  for (vec_each(i, &all)) {
    LLVMReplaceAllUsesWith(all.at[i].inst, constant_of(&all.at[i]));
  }
  for (vec_each(i, &exits)) {
    LLVMValueRef end = exits.at[i].branch;
    assert(LLVMIsConditional(end));
    LLVMSetCondition(end, LLVMConstInt(LLVMTypeOf(LLVMGetCondition(end)), exits.at[i].how, 0));
  }
  size_t n = all.len + exits.len;
  vec_free(&all), vec_free(&exits);
  return n;
}

// LLVM's intrinsics.
#include "compile.h"
#include "number.h"

static const struct {
  const char *name;
  int which;  // NumberIntrinsic
  int operands;
} numbers[] = {{"abs", INTRINSIC_ABS, 1},
               {"smax", INTRINSIC_SMAX, 2},
               {"smin", INTRINSIC_SMIN, 2},
               {"umax", INTRINSIC_UMAX, 2},
               {"umin", INTRINSIC_UMIN, 2},
               {"ctpop", INTRINSIC_CTPOP, 1},
               {"ctlz", INTRINSIC_CTLZ, 1},
               {"cttz", INTRINSIC_CTTZ, 1},
               {"bswap", INTRINSIC_BSWAP, 1},
               {"bitreverse", INTRINSIC_BITREVERSE, 1},
               {"fshl", INTRINSIC_FSHL, 3},
               {"fshr", INTRINSIC_FSHR, 3},
               {"sadd.sat", INTRINSIC_SADD_SAT, 2},
               {"uadd.sat", INTRINSIC_UADD_SAT, 2},
               {"ssub.sat", INTRINSIC_SSUB_SAT, 2},
               {"usub.sat", INTRINSIC_USUB_SAT, 2},
               {"sadd.with.overflow", INTRINSIC_SADD_OVER, 2},
               {"uadd.with.overflow", INTRINSIC_UADD_OVER, 2},
               {"ssub.with.overflow", INTRINSIC_SSUB_OVER, 2},
               {"usub.with.overflow", INTRINSIC_USUB_OVER, 2},
               {"smul.with.overflow", INTRINSIC_SMUL_OVER, 2},
               {"umul.with.overflow", INTRINSIC_UMUL_OVER, 2},
               {"fabs", INTRINSIC_FABS, 1},
               {"sqrt", INTRINSIC_SQRT, 1},
               {"floor", INTRINSIC_FLOOR, 1},
               {"ceil", INTRINSIC_CEIL, 1},
               {"trunc", INTRINSIC_TRUNC, 1},
               {"rint", INTRINSIC_RINT, 1},
               {"nearbyint", INTRINSIC_NEARBYINT, 1},
               {"round", INTRINSIC_ROUND, 1},
               {"roundeven", INTRINSIC_ROUNDEVEN, 1},
               {"sin", INTRINSIC_SIN, 1},
               {"cos", INTRINSIC_COS, 1},
               {"tan", INTRINSIC_TAN, 1},
               {"exp", INTRINSIC_EXP, 1},
               {"exp2", INTRINSIC_EXP2, 1},
               {"log", INTRINSIC_LOG, 1},
               {"log2", INTRINSIC_LOG2, 1},
               {"log10", INTRINSIC_LOG10, 1},
               {"canonicalize", INTRINSIC_CANONICALIZE, 1},
               {"pow", INTRINSIC_POW, 2},
               {"copysign", INTRINSIC_COPYSIGN, 2},
               {"minnum", INTRINSIC_MINNUM, 2},
               {"maxnum", INTRINSIC_MAXNUM, 2},
               {"minimum", INTRINSIC_MINIMUM, 2},
               {"maximum", INTRINSIC_MAXIMUM, 2},
               {"powi", INTRINSIC_POWI, 2},
               {"is.fpclass", INTRINSIC_CLASS, 2},
               {"fma", INTRINSIC_FMA, 3},
               {"fmuladd", INTRINSIC_FMULADD, 3}};

// Says something to the optimizer, and nothing to a run.
static const char *const nothing[] = {"lifetime.end",
                                      "assume",
                                      "donothing",
                                      "sideeffect",
                                      "invariant.start",
                                      "invariant.end",
                                      "experimental.noalias.scope.decl",
                                      "var.annotation",
                                      "va_end",
                                      "prefetch",
                                      "dbg.",
                                      "pseudoprobe",
                                      "fake.use"};
// The first operand is the result.
static const char *const passes[] = {"expect",
                                     "expect.with.probability",
                                     "ptr.annotation",
                                     "annotation",
                                     "launder.invariant.group",
                                     "strip.invariant.group",
                                     "threadlocal.address",
                                     "ssa.copy",
                                     "arithmetic.fence"};

static bool is(const char *name, const char *what) {
  size_t n = strlen(what);
  return !strncmp(name, what, n) && (!name[n] || name[n] == '.' || what[n - 1] == '.');
}
#define is_any(name, list) is_one(name, list, sizeof(list) / sizeof *(list))
static bool is_one(const char *name, const char *const *list, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (is(name, list[i])) return true;
  return false;
}

static void number_each(Compiler *k, LLVMValueRef v, int which, int operands) {
  const Layout *l = layout_of_value(k, LLVMGetArgOperand(v, 0));
  uint32_t to = slot_of(k, v), from[3] = {0};
  bool single[3] = {0};
  if (l->len > 1 && which >= INTRINSIC_SADD_OVER && which < INTRINSIC_FIRST_FLOAT) {
    refuse(k, "checked arithmetic on vectors");
    return;
  }
  for (int n = 0; n < operands; ++n) {
    from[n] = slot_of(k, LLVMGetArgOperand(v, (unsigned)n));
    single[n] = layout_of_value(k, LLVMGetArgOperand(v, (unsigned)n))->len == 1;
  }
  for (uint32_t n = 0; n < l->len; ++n) {
    const Scalar *s = &l->at[n];
    Inst *i = emit(k, OP_INTRINSIC);
    i->more = (uint8_t)which, i->to = to + s->slot, i->bytes = (uint32_t)operands;
    i->a = from[0] + (single[0] ? 0 : s->slot);
    i->b = from[1] + (single[1] ? 0 : s->slot);
    i->c = from[2] + (single[2] ? 0 : s->slot);
    i->imm = which >= INTRINSIC_FIRST_FLOAT ? (uint64_t)(s->kind - SCALAR_FLOAT) : s->bits;
  }
}

static bool number_named(Compiler *k, LLVMValueRef v, const char *name) {
  size_t best = 0;
  int which = -1, operands = 0;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    size_t n = strlen(numbers[i].name);
    if (n > best && is(name, numbers[i].name))
      best = n, which = numbers[i].which, operands = numbers[i].operands;
  }
  if (which < 0) return false;
  number_each(k, v, which, operands);
  return true;
}

static Inst *emit_operands(Compiler *k, LLVMValueRef v, Op op, unsigned count) {
  uint32_t s[3] = {0};
  for (unsigned n = 0; n < count; ++n) s[n] = slot_of(k, LLVMGetArgOperand(v, n));
  uint32_t to = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVoidTypeKind ? 0 : slot_of(k, v);
  Inst *i = emit(k, op);
  i->to = to, i->a = s[0], i->b = s[1], i->c = s[2];
  return i;
}

static void constant_result(Compiler *k, LLVMValueRef v, uint64_t n) {
  uint32_t to = slot_of(k, v), from = slot_constant(k, n);
  Inst *i = emit(k, OP_MOVE);
  i->to = to, i->a = from;
}

static void begin_life(Compiler *k, LLVMValueRef v) {
  uint64_t size = LLVMConstIntGetZExtValue(LLVMGetArgOperand(v, 0));
  uint32_t at = slot_of(k, LLVMGetArgOperand(v, 1));
  Inst *i = emit(k, OP_BEGIN);
  i->a = at, i->imm = size;
}

bool compile_intrinsic(Compiler *k, LLVMValueRef v, const char *full) {
  const char *name = full + 5;
  if (is_any(name, nothing)) return true;
  if (is_any(name, passes)) {
    uint32_t to = slot_of(k, v), from = slot_of(k, LLVMGetArgOperand(v, 0));
    Inst *i = emit(k, OP_MOVE);
    i->to = to, i->a = from;
    return true;
  }
  if (is(name, "memcpy") || is(name, "memmove")) return emit_operands(k, v, OP_COPY, 3), true;
  if (is(name, "memset")) return emit_operands(k, v, OP_FILL, 3), true;
  if (is(name, "lifetime.start")) return begin_life(k, v), true;
  if (is(name, "va_start")) return emit_operands(k, v, OP_VASTART, 1), true;
  if (is(name, "va_copy")) return emit_operands(k, v, OP_VACOPY, 2), true;
  if (is(name, "stacksave")) return emit_operands(k, v, OP_STACKSAVE, 0), true;
  if (is(name, "stackrestore")) return emit_operands(k, v, OP_STACKRESTORE, 1), true;
  if (is(name, "eh.typeid.for")) return emit_operands(k, v, OP_TYPEID, 1), true;
  if (is(name, "trap") || is(name, "ubsantrap") || is(name, "debugtrap"))
    return emit(k, OP_UNREACHABLE)->more = 1, true;
  if (is(name, "is.constant")) return constant_result(k, v, 0), true;
  if (is(name, "x86.sse2.pause")) return emit(k, OP_PAUSE), true;
  if (is(name, "ptrmask")) {
    Inst *i = emit_operands(k, v, OP_AND, 2);
    return i->imm = UINT64_MAX, true;
  }
  if (is(name, "objectsize")) {
    bool least = LLVMConstIntGetZExtValue(LLVMGetArgOperand(v, 1));
    return constant_result(k, v, least ? 0 : UINT64_MAX), true;
  }
  return number_named(k, v, name);
}

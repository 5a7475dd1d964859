// Values as rows of scalars, and constants.
#include <assert.h>
#include <stdlib.h>
#include "bytecode.h"

typedef struct {
  Vec(Scalar) all;
  uint32_t slots;
  const char *refused;
} Row;

static void add_scalar(Row *r, ScalarKind kind, uint64_t offset, unsigned bits, unsigned bytes) {
  Scalar s = {offset, r->slots, (uint16_t)bits, (uint16_t)bytes, (uint8_t)kind};
  r->slots += bits > 64 ? 2 : 1;
  vec_push(&r->all, s);
}

static void add_type(Bytecode *c, Row *r, LLVMTypeRef t, uint64_t offset);

static void add_elements(Bytecode *c, Row *r, LLVMTypeRef element, uint64_t n, uint64_t step,
                         uint64_t offset) {
  enum { MOST = 4096 };
  if (n > MOST) r->refused = "a value of more than 4096 elements";
  for (uint64_t i = 0; i < n && !r->refused; ++i) add_type(c, r, element, offset + i * step);
}

static void add_type(Bytecode *c, Row *r, LLVMTypeRef t, uint64_t offset) {
  switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMLabelTypeKind:
    case LLVMTokenTypeKind:
      break;
    case LLVMIntegerTypeKind: {
      unsigned bits = LLVMGetIntTypeWidth(t);
      if (bits > 128) r->refused = "an integer of more than 128 bits";
      add_scalar(r, SCALAR_INT, offset, bits, (bits + 7) / 8);
      break;
    }
    case LLVMPointerTypeKind:
      add_scalar(r, SCALAR_POINTER, offset, 64, 8);
      break;
    case LLVMFloatTypeKind:
      add_scalar(r, SCALAR_FLOAT, offset, 32, 4);
      break;
    case LLVMDoubleTypeKind:
      add_scalar(r, SCALAR_DOUBLE, offset, 64, 8);
      break;
    case LLVMX86_FP80TypeKind:
      add_scalar(r, SCALAR_LONG_DOUBLE, offset, 80, 10);
      break;
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(t); ++i)
        add_type(c, r, LLVMStructGetTypeAtIndex(t, i), offset + LLVMOffsetOfElement(c->layout, t, i));
      break;
    case LLVMArrayTypeKind: {
      LLVMTypeRef e = LLVMGetElementType(t);
      add_elements(c, r, e, LLVMGetArrayLength2(t), LLVMABISizeOfType(c->layout, e), offset);
      break;
    }
    case LLVMVectorTypeKind: {
      LLVMTypeRef e = LLVMGetElementType(t);
      add_elements(c, r, e, LLVMGetVectorSize(t), (LLVMSizeOfTypeInBits(c->layout, e) + 7) / 8, offset);
      break;
    }
    default:
      r->refused = "a type that the interpreter does not know";
  }
}

const Layout *layout_of(Bytecode *c, LLVMTypeRef t) {
  uint64_t known;
  if (map_get(c->layouts, map_key(t), &known)) return (const Layout *)(uintptr_t)known;
  Row r = {0};
  add_type(c, &r, t, 0);
  Layout *l = mem_alloc(sizeof *l);
  *l = (Layout){r.all.at, (uint32_t)r.all.len, r.slots, 0, r.refused};
  if (LLVMTypeIsSized(t)) l->size = LLVMABISizeOfType(c->layout, t);
  map_put(c->layouts, map_key(t), map_key(l));
  vec_push(&c->layout_types, t);
  return l;
}

// LLVM-C gives no integer of more than 64 bits, and rounds long doubles: their texts have it all.
__extension__ typedef unsigned __int128 Wide;

static void decimal_words(const char *text, uint64_t out[2]) {
  bool negative = *text == '-';
  Wide n = 0;
  for (text += negative; *text >= '0' && *text <= '9'; ++text) n = n * 10 + (unsigned)(*text - '0');
  if (negative) n = -n;
  out[0] = (uint64_t)n, out[1] = (uint64_t)(n >> 64);
}

static void text_words(LLVMValueRef v, uint64_t out[2]) {
  char *text = LLVMPrintValueToString(v), *value = strchr(text, ' ');
  out[0] = out[1] = 0;
  if (value && !strncmp(value, " 0xK", 4)) {
    char high[5] = {0};
    memcpy(high, value + 4, 4);
    out[1] = strtoull(high, NULL, 16), out[0] = strtoull(value + 8, NULL, 16);
  } else if (value) {
    decimal_words(value + 1, out);
  }
  LLVMDisposeMessage(text);
}

static bool integer_words(LLVMValueRef v, uint64_t *out) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  if (bits <= 64) return *out = LLVMConstIntGetZExtValue(v), true;
  text_words(v, out);
  if (bits < 128) out[1] &= (UINT64_C(1) << (bits - 64)) - 1;
  return true;
}

static bool real_words(LLVMValueRef v, uint64_t *out) {
  LLVMBool loses;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
  if (kind == LLVMX86_FP80TypeKind) return text_words(v, out), true;
  double d = LLVMConstRealGetDouble(v, &loses);
  *out = 0;
  if (kind == LLVMFloatTypeKind) {
    float f = (float)d;
    memcpy(out, &f, sizeof f);
  } else {
    memcpy(out, &d, sizeof d);
  }
  return true;
}

static bool element_address(Bytecode *c, LLVMValueRef v, uint64_t *out, const char **why) {
  uint64_t at;
  if (!constant_words(c, LLVMGetOperand(v, 0), &at, why)) return false;
  LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(v); ++i) {
    uint64_t words[2] = {0};
    LLVMValueRef index = LLVMGetOperand(v, i);
    if (!constant_words(c, index, words, why)) return false;
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
    int64_t n = bits >= 64 ? (int64_t)words[0] : (int64_t)(words[0] << (64 - bits)) >> (64 - bits);
    if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      at += LLVMOffsetOfElement(c->layout, t, (unsigned)n);
      t = LLVMStructGetTypeAtIndex(t, (unsigned)n);
      continue;
    }
    if (i > 1) t = LLVMGetElementType(t);
    at += (uint64_t)n * LLVMABISizeOfType(c->layout, t);
  }
  return *out = at, true;
}

static bool expression_words(Bytecode *c, LLVMValueRef v, uint64_t *out, const char **why) {
  uint64_t a[2] = {0}, b[2] = {0};
  LLVMTypeRef t = LLVMTypeOf(v);
  unsigned bits = LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 64;
  LLVMOpcode op = LLVMGetConstOpcode(v);
  if (op == LLVMGetElementPtr) return element_address(c, v, out, why);
  if (bits > 64 || !constant_words(c, LLVMGetOperand(v, 0), a, why)) return false;
  bool two = op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMXor;
  if (two && !constant_words(c, LLVMGetOperand(v, 1), b, why)) return false;
  if (!two && op != LLVMPtrToInt && op != LLVMIntToPtr && op != LLVMBitCast && op != LLVMTrunc &&
      op != LLVMAddrSpaceCast)
    return *why = "a constant expression that the interpreter does not know", false;
  uint64_t n = op == LLVMAdd   ? *a + *b
               : op == LLVMSub ? *a - *b
               : op == LLVMMul ? *a * *b
               : op == LLVMXor ? *a ^ *b
                               : *a;
  return *out = bits < 64 ? n & ((UINT64_C(1) << bits) - 1) : n, true;
}

static bool aggregate_words(Bytecode *c, LLVMValueRef v, const Layout *l, uint64_t *out, const char **why) {
  LLVMTypeRef t = LLVMTypeOf(v);
  LLVMTypeKind kind = LLVMGetTypeKind(t);
  uint64_t n = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(t)
               : kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(t)
                                           : LLVMGetVectorSize(t);
  uint32_t slot = 0;
  for (uint64_t i = 0; i < n; ++i) {
    LLVMValueRef e = LLVMGetAggregateElement(v, (unsigned)i);
    assert(e && slot <= l->slots);
    if (!constant_words(c, e, out + slot, why)) return false;
    slot += layout_of(c, LLVMTypeOf(e))->slots;
  }
  return true;
}

static uint64_t address_of_function(const Bytecode *c, LLVMValueRef f) {
  uint64_t id = map_or(c->function_of, map_key(f), CODE_NONE);
  assert(id != CODE_NONE);
  return bytecode_address((uint32_t)id);
}

bool constant_words(Bytecode *c, LLVMValueRef v, uint64_t *out, const char **why) {
  const Layout *l = layout_of(c, LLVMTypeOf(v));
  if (l->refused) return *why = l->refused, false;
  memset(out, 0, l->slots * sizeof *out);
  if (LLVMIsUndef(v) || LLVMIsPoison(v) || LLVMIsNull(v)) return true;
  if (LLVMIsAConstantInt(v)) return integer_words(v, out);
  if (LLVMIsAConstantFP(v)) return real_words(v, out);
  if (LLVMIsAGlobalAlias(v)) return constant_words(c, LLVMAliasGetAliasee(v), out, why);
  if (LLVMIsAFunction(v)) return *out = address_of_function(c, v), true;
  if (LLVMIsAGlobalVariable(v)) {
    if (LLVMIsThreadLocal(v)) return *why = "the address of a thread's variable as a constant", false;
    return *out = map_or(c->global_at, map_key(v), 0), true;
  }
  if (LLVMIsAConstantExpr(v)) return expression_words(c, v, out, why);
  if (LLVMIsABlockAddress(v)) return *why = "the address of a label", false;
  if (LLVMIsAConstant(v) && l->len && LLVMGetAggregateElement(v, 0))
    return aggregate_words(c, v, l, out, why);
  return *why = "a constant that the interpreter does not know", false;
}

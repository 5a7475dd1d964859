// A step is a block, which first evaluates the values that have their place there. A value is an LLVM value
// and whether it is defined; of a String NULL says that it is not. What is not defined has some value all the
// same, never a poisoned one, so that everything can be evaluated without a branch.
#include "dispatch_emit.h"
#include <assert.h>
#include "rt/rt.h"

typedef struct {
  LLVMValueRef is, defined;  // defined NULL: always, or String
} Out;

typedef struct {
  LLVMModuleRef m;
  LLVMContextRef c;
  LLVMBuilderRef b;
  const Values *vs;
  const Tree *t;
  const Readings *readings;
  LLVMValueRef f, slot;
  LLVMTypeRef i1, i32, i64, real, ptr;
  Out *out;                   // by value
  LLVMBasicBlockRef *blocks;  // by step
} Emitter;

static LLVMValueRef int_const(Emitter *e, int64_t i) {
  return LLVMConstInt(e->i64, (unsigned long long)i, 1);
}

static LLVMTypeRef letter(Emitter *e, char c) {
  switch (c) {
    case 'w':
      return e->i32;
    case 'i':
      return e->i64;
    case 'd':
      return e->real;
    default:
      assert(c == 's');
      return e->ptr;
  }
}

// signature: the result's letter, then those of the operands: w int, i int64_t, d double, s a pointer.
static LLVMValueRef call(Emitter *e, const char *name, const char *signature, LLVMValueRef *args) {
  LLVMTypeRef types[4];
  unsigned n = (unsigned)strlen(signature) - 1;
  assert(n <= 4);
  for (unsigned i = 0; i < n; ++i) types[i] = letter(e, signature[i + 1]);
  LLVMTypeRef type = LLVMFunctionType(letter(e, *signature), types, n, 0);
  LLVMValueRef f = LLVMGetNamedFunction(e->m, name);
  if (!f) {
    f = LLVMAddFunction(e->m, name, type);
    unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->c, kind, 0));
  }
  return LLVMBuildCall2(e->b, type, f, args, n, "");
}

static LLVMValueRef non_zero(Emitter *e, LLVMValueRef v) {
  return LLVMBuildICmp(e->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

static LLVMValueRef text(Emitter *e, const char *s) {
  LLVMValueRef bytes = LLVMConstStringInContext2(e->c, s, strlen(s), 0);
  LLVMValueRef g = LLVMAddGlobal(e->m, LLVMTypeOf(bytes), "specialize.text");
  LLVMSetInitializer(g, bytes);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
  return g;
}

// NULL: it always is. Two such facts together.
static LLVMValueRef is_defined(Emitter *e, Value v) {
  bool string = value_at(e->vs, v).type == TERM_IS_STRING && value_at(e->vs, v).op != TERM_STRING;
  return string ? non_zero(e, e->out[v].is) : e->out[v].defined;
}
static LLVMValueRef both(Emitter *e, LLVMValueRef a, LLVMValueRef b) {
  if (!a || !b) return a ? a : b;
  return LLVMBuildAnd(e->b, a, b, "");
}
static LLVMValueRef all_defined(Emitter *e, Value v) {
  LLVMValueRef all = NULL;
  for (uint32_t i = 0; i < value_at(e->vs, v).count; ++i)
    all = both(e, all, is_defined(e, value_operand(e->vs, v, i)));
  return all;
}

static LLVMValueRef arg(Emitter *e, Value v, uint32_t i) {
  Value operand = value_operand(e->vs, v, i);
  assert(e->out[operand].is);
  return e->out[operand].is;
}

static LLVMValueRef load(Emitter *e, LLVMTypeRef type, LLVMValueRef at) {
  LLVMValueRef v = LLVMBuildLoad2(e->b, type, at, "");
  LLVMSetAlignment(v, 1);
  return LLVMBuildFreeze(e->b, v, "");  // a local may not be initialized
}

static LLVMTypeRef type_of_reading(Emitter *e, Reading r) {
  if (r.how == READ_REAL) return r.bits == 32 ? LLVMFloatTypeInContext(e->c) : e->real;
  return r.how == READ_INT ? LLVMIntTypeInContext(e->c, r.bits) : e->ptr;
}

static LLVMValueRef widened(Emitter *e, Reading r, LLVMValueRef v) {
  if (r.how == READ_REAL) return LLVMBuildFPExt(e->b, v, e->real, "");
  return r.is_signed ? LLVMBuildSExt(e->b, v, e->i64, "") : LLVMBuildZExt(e->b, v, e->i64, "");
}

// Memory that may not be there. defined NULL: the address always is.
static Out read_checked(Emitter *e, Reading r, LLVMValueRef address, LLVMValueRef defined) {
  if (defined) address = LLVMBuildSelect(e->b, defined, address, int_const(e, 0), "");
  if (r.how == READ_POINTER || r.how == READ_ARRAY)
    return (Out){call(e, "rt_select_text", "si", &address), NULL};
  LLVMBuildStore(e->b, int_const(e, 0), e->slot);
  LLVMValueRef args[] = {address, e->slot, int_const(e, r.bits / 8)};
  LLVMValueRef ok = non_zero(e, call(e, "rt_select_read", "wisi", args));
  LLVMValueRef v = LLVMBuildLoad2(e->b, type_of_reading(e, r), e->slot, "");
  return (Out){widened(e, r, v), both(e, defined, ok)};
}

static LLVMValueRef address_of(Emitter *e, Reading r) {
  if (r.global) return r.global;
  LLVMValueRef i = int_const(e, r.local), at;
  at = LLVMBuildGEP2(e->b, e->ptr, LLVMGetParam(e->f, 2), &i, 1, "");
  return LLVMBuildLoad2(e->b, e->ptr, at, "");
}

static Out variable(Emitter *e, Reading r) {
  LLVMValueRef at = address_of(e, r), args[2], bits;
  if (r.how == READ_ADDRESS) return (Out){LLVMBuildPtrToInt(e->b, at, e->i64, ""), NULL};
  if (r.checked && r.how == READ_POINTER) {
    Out p = read_checked(e, reading_of(TERM_AS_INT64), LLVMBuildPtrToInt(e->b, at, e->i64, ""), NULL);
    return read_checked(e, r, p.is, p.defined);
  }
  if (r.checked) return read_checked(e, r, LLVMBuildPtrToInt(e->b, at, e->i64, ""), NULL);
  switch (r.how) {
    case READ_ARRAY:
      args[0] = at, args[1] = int_const(e, (int64_t)r.size);
      return (Out){call(e, "rt_select_array", "ssi", args), NULL};
    case READ_POINTER:
      bits = LLVMBuildPtrToInt(e->b, load(e, e->ptr, at), e->i64, "");
      return (Out){call(e, "rt_select_text", "si", &bits), NULL};
    default:
      return (Out){widened(e, r, load(e, type_of_reading(e, r), at)), NULL};
  }
}

// argv[i], NULL from argc on.
static Out argument(Emitter *e, int64_t i) {
  LLVMValueRef n = int_const(e, i), given, at, null = LLVMConstNull(e->ptr);
  LLVMValueRef argc = LLVMBuildSExt(e->b, LLVMGetParam(e->f, 0), e->i64, "");
  given = LLVMBuildICmp(e->b, LLVMIntSLT, n, argc, "");
  at = LLVMBuildGEP2(e->b, e->ptr, LLVMGetParam(e->f, 1), &n, 1, "");
  // Beyond the end nothing may be read: read what is surely there, and leave it.
  at = LLVMBuildSelect(e->b, given, at, e->slot, "");
  return (Out){LLVMBuildSelect(e->b, given, LLVMBuildLoad2(e->b, e->ptr, at, ""), null, ""), NULL};
}

static Out leaf(Emitter *e, Value v) {
  ValueNode n = value_at(e->vs, v);
  const Terms *ts = values_terms(e->vs);
  LLVMValueRef a;
  int number = 0;
  switch (n.op) {
    case TERM_TRUE:
    case TERM_FALSE:
      return (Out){LLVMConstInt(e->i1, n.op == TERM_TRUE, 0), NULL};
    case TERM_INT:
      return (Out){int_const(e, term_at(ts, n.term).as.i), NULL};
    case TERM_REAL:
      return (Out){LLVMConstReal(e->real, term_at(ts, n.term).as.d), NULL};
    case TERM_STRING:
      return (Out){text(e, term_text(ts, n.term)), NULL};
    case TERM_ARGC:
      return (Out){LLVMBuildSExt(e->b, LLVMGetParam(e->f, 0), e->i64, ""), NULL};
    case TERM_ARGV:
      return argument(e, term_at(ts, n.term).as.i);
    case TERM_ENV:
      a = text(e, term_text(ts, n.term));
      return (Out){call(e, "rt_select_env", "ss", &a), NULL};
    case TERM_SYSCONF:
      if (!term_sysconf_number(term_text(ts, n.term), &number))
        return (Out){int_const(e, 0), LLVMConstNull(e->i1)};
      a = LLVMConstInt(e->i32, (unsigned long long)number, 1);
      return (Out){call(e, "rt_select_sysconf", "iw", &a), NULL};
    default:
      assert(n.op == TERM_VAR || n.op == TERM_ADDR);
      assert(v < e->readings->len);
      return variable(e, e->readings->at[v]);
  }
}

// A literal is the same everywhere.
static LLVMValueRef literal(Emitter *e, Value v) {
  if (!e->out[v].is) e->out[v] = leaf(e, v);
  return e->out[v].is;
}

static LLVMValueRef compare(Emitter *e, TermOp op, TermType type, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef args[] = {a, b};
  static const LLVMIntPredicate ints[] = {[TERM_EQ - TERM_EQ] = LLVMIntEQ,
                                          [TERM_LT - TERM_EQ] = LLVMIntSLT,
                                          [TERM_LE - TERM_EQ] = LLVMIntSLE,
                                          [TERM_BVULT - TERM_EQ] = LLVMIntULT,
                                          [TERM_BVULE - TERM_EQ] = LLVMIntULE};
  if (type == TERM_IS_DOUBLE)
    return LLVMBuildFCmp(e->b,
                         op == TERM_EQ   ? LLVMRealOEQ
                         : op == TERM_LT ? LLVMRealOLT
                                         : LLVMRealOLE,
                         a, b, "");
  if (type == TERM_IS_STRING) a = call(e, "rt_select_strcmp", "iss", args), b = int_const(e, 0);
  return LLVMBuildICmp(e->b, ints[op - TERM_EQ], a, b, "");
}

// Few: all pairs; many: an array for the runtime.
static LLVMValueRef distinct(Emitter *e, Value v) {
  enum { FEW = 4 };
  ValueNode n = value_at(e->vs, v);
  TermType type = (TermType)value_at(e->vs, value_operand(e->vs, v, 0)).type;
  LLVMValueRef all = NULL;
  if (n.count <= FEW) {
    for (uint32_t i = 1; i < n.count; ++i)
      for (uint32_t j = 0; j < i; ++j)
        all = both(e, all, LLVMBuildNot(e->b, compare(e, TERM_EQ, type, arg(e, v, i), arg(e, v, j)), ""));
    return all;
  }
  static const char *const names[] = {[TERM_IS_INT64] = "rt_select_distinct_ints",
                                      [TERM_IS_DOUBLE] = "rt_select_distinct_reals",
                                      [TERM_IS_STRING] = "rt_select_distinct_texts"};
  LLVMTypeRef element = type == TERM_IS_INT64 ? e->i64 : type == TERM_IS_DOUBLE ? e->real : e->ptr;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
  LLVMPositionBuilderBefore(e->b, e->slot);
  LLVMValueRef array = LLVMBuildAlloca(e->b, LLVMArrayType2(element, n.count), "");
  LLVMPositionBuilderAtEnd(e->b, here);
  for (uint32_t i = 0; i < n.count; ++i) {
    LLVMValueRef index = int_const(e, i);
    LLVMBuildStore(e->b, arg(e, v, i), LLVMBuildGEP2(e->b, element, array, &index, 1, ""));
  }
  return non_zero(e, call(e, names[type], "wsi", (LLVMValueRef[]){array, int_const(e, n.count)}));
}

static LLVMValueRef logic(Emitter *e, Value v) {
  ValueNode n = value_at(e->vs, v);
  switch (n.op) {
    case TERM_NOT:
      return LLVMBuildNot(e->b, arg(e, v, 0), "");
    case TERM_AND:
      return LLVMBuildAnd(e->b, arg(e, v, 0), arg(e, v, 1), "");
    case TERM_OR:
      return LLVMBuildOr(e->b, arg(e, v, 0), arg(e, v, 1), "");
    case TERM_ITE:
      return LLVMBuildSelect(e->b, arg(e, v, 0), arg(e, v, 1), arg(e, v, 2), "");
    default:
      break;
  }
  LLVMValueRef defined = all_defined(e, v), is;
  if (n.op == TERM_DEFINED) return defined ? defined : LLVMConstInt(e->i1, 1, 0);
  if (n.op == TERM_DISTINCT)
    is = distinct(e, v);
  else
    is = compare(e, (TermOp)n.op, (TermType)value_at(e->vs, value_operand(e->vs, v, 0)).type, arg(e, v, 0),
                 arg(e, v, 1));
  return both(e, defined, is);
}

static Out choice(Emitter *e, Value v) {
  LLVMValueRef c = arg(e, v, 0), is, yes, no;
  is = LLVMBuildSelect(e->b, c, arg(e, v, 1), arg(e, v, 2), "");
  if (value_at(e->vs, v).type == TERM_IS_STRING) return (Out){is, NULL};
  yes = is_defined(e, value_operand(e->vs, v, 1));
  no = is_defined(e, value_operand(e->vs, v, 2));
  if (!yes && !no) return (Out){is, NULL};
  LLVMValueRef always = LLVMConstInt(e->i1, 1, 0);
  return (Out){is, LLVMBuildSelect(e->b, c, yes ? yes : always, no ? no : always, "")};
}

// By 0 there is no value; by -1 the hardware would trap where the result does not fit.
static Out divide(Emitter *e, TermOp op, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef one = int_const(e, 1), minus = int_const(e, -1), defined = non_zero(e, b), by, is;
  LLVMValueRef negates = LLVMBuildICmp(e->b, LLVMIntEQ, b, minus, "");
  by = LLVMBuildSelect(e->b, defined, b, one, "");
  if (op == TERM_BVUDIV) return (Out){LLVMBuildUDiv(e->b, a, by, ""), defined};
  if (op == TERM_BVUREM) return (Out){LLVMBuildURem(e->b, a, by, ""), defined};
  by = LLVMBuildSelect(e->b, negates, one, by, "");
  if (op == TERM_MOD) return (Out){LLVMBuildSRem(e->b, a, by, ""), defined};
  is = LLVMBuildSDiv(e->b, a, by, "");
  return (Out){LLVMBuildSelect(e->b, negates, LLVMBuildNeg(e->b, a, ""), is, ""), defined};
}

static LLVMValueRef shift(Emitter *e, TermOp op, LLVMValueRef a, LLVMValueRef by) {
  LLVMValueRef most = int_const(e, 63), fits = LLVMBuildICmp(e->b, LLVMIntULE, by, most, ""), is;
  LLVMValueRef n = LLVMBuildSelect(e->b, fits, by, most, "");
  if (op == TERM_BVASHR) return LLVMBuildAShr(e->b, a, n, "");
  is = op == TERM_BVSHL ? LLVMBuildShl(e->b, a, n, "") : LLVMBuildLShr(e->b, a, n, "");
  return LLVMBuildSelect(e->b, fits, is, int_const(e, 0), "");
}

static Out integers(Emitter *e, TermOp op, LLVMValueRef a, LLVMValueRef b) {
  switch (op) {
    case TERM_ADD:
      return (Out){LLVMBuildAdd(e->b, a, b, ""), NULL};
    case TERM_SUB:
      return (Out){LLVMBuildSub(e->b, a, b, ""), NULL};
    case TERM_MUL:
      return (Out){LLVMBuildMul(e->b, a, b, ""), NULL};
    case TERM_BVAND:
      return (Out){LLVMBuildAnd(e->b, a, b, ""), NULL};
    case TERM_BVOR:
      return (Out){LLVMBuildOr(e->b, a, b, ""), NULL};
    case TERM_BVXOR:
      return (Out){LLVMBuildXor(e->b, a, b, ""), NULL};
    case TERM_BVSHL:
    case TERM_BVLSHR:
    case TERM_BVASHR:
      return (Out){shift(e, op, a, b), NULL};
    default:
      return divide(e, op, a, b);
  }
}

static Out reals(Emitter *e, TermOp op, LLVMValueRef a, LLVMValueRef b) {
  switch (op) {
    case TERM_ADD:
      return (Out){LLVMBuildFAdd(e->b, a, b, ""), NULL};
    case TERM_SUB:
      return (Out){LLVMBuildFSub(e->b, a, b, ""), NULL};
    case TERM_MUL:
      return (Out){LLVMBuildFMul(e->b, a, b, ""), NULL};
    default:
      assert(op == TERM_QUOT);
      return (Out){LLVMBuildFDiv(e->b, a, b, ""),
                   LLVMBuildFCmp(e->b, LLVMRealUNE, b, LLVMConstReal(e->real, 0), "")};
  }
}

static LLVMValueRef low_bits(Emitter *e, TermOp op, LLVMValueRef a) {
  bool is_signed = op < TERM_UINT8;
  unsigned bits = 8u << (op - (is_signed ? TERM_INT8 : TERM_UINT8));
  a = LLVMBuildTrunc(e->b, a, LLVMIntTypeInContext(e->c, bits), "");
  return is_signed ? LLVMBuildSExt(e->b, a, e->i64, "") : LLVMBuildZExt(e->b, a, e->i64, "");
}

static Out unary(Emitter *e, TermOp op, TermType type, LLVMValueRef a) {
  LLVMValueRef low, high, fits;
  switch (op) {
    case TERM_SUB:
      return (Out){type == TERM_IS_DOUBLE ? LLVMBuildFNeg(e->b, a, "") : LLVMBuildNeg(e->b, a, ""), NULL};
    case TERM_BVNOT:
      return (Out){LLVMBuildNot(e->b, a, ""), NULL};
    case TERM_DOUBLE:
      return (Out){LLVMBuildSIToFP(e->b, a, e->real, ""), NULL};
    case TERM_INT64:
      low = LLVMBuildFCmp(e->b, LLVMRealOGE, a, LLVMConstReal(e->real, -0x1p63), "");
      high = LLVMBuildFCmp(e->b, LLVMRealOLT, a, LLVMConstReal(e->real, 0x1p63), "");
      fits = LLVMBuildAnd(e->b, low, high, "");
      a = LLVMBuildSelect(e->b, fits, a, LLVMConstReal(e->real, 0), "");
      return (Out){LLVMBuildFPToSI(e->b, a, e->i64, ""), fits};
    default:
      return (Out){low_bits(e, op, a), NULL};
  }
}

static Out arithmetic(Emitter *e, Value v) {
  ValueNode n = value_at(e->vs, v);
  Out out = {arg(e, v, 0), all_defined(e, v)};
  if (n.count == 1) {
    Out one = unary(e, (TermOp)n.op, (TermType)n.type, out.is);
    return (Out){one.is, both(e, out.defined, one.defined)};
  }
  for (uint32_t i = 1; i < n.count; ++i) {
    LLVMValueRef b = arg(e, v, i);
    Out next =
        n.type == TERM_IS_DOUBLE ? reals(e, (TermOp)n.op, out.is, b) : integers(e, (TermOp)n.op, out.is, b);
    out = (Out){next.is, both(e, out.defined, next.defined)};
  }
  return out;
}

// Functions; what has a base that is not given has base 10.
static const struct {
  const char *name, *signature;
} functions[TERM_OPS] = {[TERM_CHAR] = {"rt_select_char", "isi"},
                         [TERM_ATOI] = {"rt_select_atoi", "is"},
                         [TERM_ATOL] = {"rt_select_strtol", "isi"},
                         [TERM_ATOLL] = {"rt_select_strtol", "isi"},
                         [TERM_STRTOL] = {"rt_select_strtol", "isi"},
                         [TERM_STRTOLL] = {"rt_select_strtol", "isi"},
                         [TERM_STRTOUL] = {"rt_select_strtoul", "isi"},
                         [TERM_STRTOULL] = {"rt_select_strtoul", "isi"},
                         [TERM_ATOF] = {"rt_select_strtod", "ds"},
                         [TERM_STRTOD] = {"rt_select_strtod", "ds"},
                         [TERM_STRLEN] = {"rt_select_strlen", "is"},
                         [TERM_STRCMP] = {"rt_select_strcmp", "iss"},
                         [TERM_STRNCMP] = {"rt_select_strncmp", "issi"},
                         [TERM_STRCASECMP] = {"rt_select_strcasecmp", "iss"},
                         [TERM_STRNCASECMP] = {"rt_select_strncasecmp", "issi"}};

static Out function(Emitter *e, Value v) {
  ValueNode n = value_at(e->vs, v);
  LLVMValueRef args[3] = {NULL, int_const(e, 10), NULL}, defined = all_defined(e, v);
  assert(functions[n.op].name);
  for (uint32_t i = 0; i < n.count; ++i) args[i] = arg(e, v, i);
  LLVMValueRef is = call(e, functions[n.op].name, functions[n.op].signature, args);
  if (n.op == TERM_CHAR)
    defined = both(e, defined, LLVMBuildICmp(e->b, LLVMIntNE, is, int_const(e, RT_SELECT_NO_CHAR), ""));
  return (Out){is, defined};
}

static Out evaluate(Emitter *e, Value v) {
  ValueNode n = value_at(e->vs, v);
  if (value_is_literal(e->vs, v)) return (Out){literal(e, v), NULL};
  if (!n.count) return leaf(e, v);
  if (n.type == TERM_IS_BOOL) return (Out){logic(e, v), NULL};
  if (n.op == TERM_ITE) return choice(e, v);
  if (n.op >= TERM_CHAR) return function(e, v);
  if (n.op != TERM_MEM) return arithmetic(e, v);
  return read_checked(e, reading_of((TermAccess)n.access), arg(e, v, 0), all_defined(e, v));
}

static LLVMValueRef table(Emitter *e, Step s) {
  LLVMValueRef *at = mem_array(s.count, sizeof *at), g;
  for (uint32_t i = 0; i < s.count; ++i) at[i] = literal(e, e->t->cases.at[s.first + i].literal);
  LLVMValueRef all = LLVMConstArray2(e->ptr, at, s.count);
  g = LLVMAddGlobal(e->m, LLVMTypeOf(all), "specialize.texts");
  LLVMSetInitializer(g, all);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(g, 1);
  mem_free(at);
  return g;
}

// Cases are sorted: halves, until few are left. (The function is not optimized; there a switch would try
// each.)
static void emit_cases(Emitter *e, Step s, LLVMValueRef on, uint32_t from, uint32_t to) {
  enum { FEW = 4 };
  bool string = value_at(e->vs, s.on).type == TERM_IS_STRING;
  const StepCase *cases = e->t->cases.at + s.first;
  if (to - from <= FEW) {
    LLVMValueRef sw = LLVMBuildSwitch(e->b, on, e->blocks[s.no], to - from);
    for (uint32_t i = from; i < to; ++i)
      LLVMAddCase(sw, string ? int_const(e, i) : literal(e, cases[i].literal), e->blocks[cases[i].to]);
    return;
  }
  uint32_t mid = from + (to - from) / 2;
  LLVMBasicBlockRef low = LLVMAppendBasicBlockInContext(e->c, e->f, "");
  LLVMBasicBlockRef high = LLVMAppendBasicBlockInContext(e->c, e->f, "");
  LLVMValueRef first = string ? int_const(e, mid) : literal(e, cases[mid].literal);
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, on, first, ""), low, high);
  LLVMPositionBuilderAtEnd(e->b, low);
  emit_cases(e, s, on, from, mid);
  LLVMPositionBuilderAtEnd(e->b, high);
  emit_cases(e, s, on, mid, to);
}

static void emit_choice(Emitter *e, Step s) {
  LLVMValueRef on = e->out[s.on].is, defined = e->out[s.on].defined;
  bool string = value_at(e->vs, s.on).type == TERM_IS_STRING;
  if (string) {
    on = call(e, "rt_select_which", "issi", (LLVMValueRef[]){on, table(e, s), int_const(e, s.count)});
  } else if (defined) {
    LLVMBasicBlockRef there = LLVMAppendBasicBlockInContext(e->c, e->f, "");
    LLVMBuildCondBr(e->b, defined, there, e->blocks[s.no]);
    LLVMPositionBuilderAtEnd(e->b, there);
  }
  emit_cases(e, s, on, 0, s.count);
}

static void emit_step(Emitter *e, Step s) {
  if (s.kind == STEP_RESULT)
    LLVMBuildRet(e->b, int_const(e, s.result));
  else if (s.kind == STEP_TEST)
    LLVMBuildCondBr(e->b, e->out[s.on].is, e->blocks[s.yes], e->blocks[s.no]);
  else
    emit_choice(e, s);
}

// Literals need no place; others are evaluated there, operands first, as their numbers are.
static void emit_steps(Emitter *e) {
  const Tree *t = e->t;
  uint32_t *next = mem_array(t->values + 1, sizeof *next), *first = mem_array(t->steps.len, sizeof *first);
  for (vec_each(i, &t->steps)) first[i] = UINT32_MAX;
  for (Value v = t->values; v-- > 0;)
    if (t->place[v] != UINT32_MAX) next[v] = first[t->place[v]], first[t->place[v]] = v;
  for (vec_each(i, &t->order)) e->blocks[t->order.at[i]] = LLVMAppendBasicBlockInContext(e->c, e->f, "");
  LLVMBuildBr(e->b, e->blocks[0]);
  for (vec_each(i, &t->order)) {
    uint32_t s = t->order.at[i];
    LLVMPositionBuilderAtEnd(e->b, e->blocks[s]);
    for (Value v = first[s]; v != UINT32_MAX; v = next[v]) e->out[v] = evaluate(e, v);
    emit_step(e, t->steps.at[s]);
  }
  mem_free(next);
  mem_free(first);
}

// There is little that standard passes could do for it, and some need quadratic time for so many compares
// (1000 schedules with ranges: minutes).
static void add_attributes(Emitter *e) {
  static const char *const words[] = {"optnone", "noinline", "nounwind", "uwtable"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    unsigned kind = LLVMGetEnumAttributeKindForName(words[i], strlen(words[i]));
    LLVMAddAttributeAtIndex(e->f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->c, kind, i == 3 ? 2 : 0));
  }
}

LLVMValueRef dispatch_emit(LLVMModuleRef m, const Values *vs, const Tree *t, const Readings *readings) {
  assert(t->values == values_count(vs));
  LLVMContextRef c = LLVMGetModuleContext(m);
  Emitter e = {.m = m, .c = c, .b = LLVMCreateBuilderInContext(c), .vs = vs, .t = t, .readings = readings};
  e.i1 = LLVMInt1TypeInContext(c), e.i32 = LLVMInt32TypeInContext(c);
  e.i64 = LLVMInt64TypeInContext(c), e.real = LLVMDoubleTypeInContext(c),
  e.ptr = LLVMPointerTypeInContext(c, 0);
  LLVMTypeRef type = LLVMFunctionType(e.i64, (LLVMTypeRef[]){e.i32, e.ptr, e.ptr}, 3, 0);
  e.f = LLVMAddFunction(m, "specialize.dispatch", type);
  LLVMSetLinkage(e.f, LLVMInternalLinkage);
  add_attributes(&e);
  e.out = mem_array(t->values, sizeof *e.out);
  e.blocks = mem_array(t->steps.len, sizeof *e.blocks);
  LLVMPositionBuilderAtEnd(e.b, LLVMAppendBasicBlockInContext(c, e.f, ""));
  e.slot = LLVMBuildAlloca(e.b, e.i64, "");
  LLVMBuildStore(e.b, int_const(&e, 0), e.slot);
  emit_steps(&e);
  LLVMDisposeBuilder(e.b);
  mem_free(e.out);
  mem_free(e.blocks);
  return e.f;
}

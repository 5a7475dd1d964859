// Arithmetic, casts and the taking apart and putting together of values.
#include <assert.h>
#include "compile.h"
#include "number.h"

static NumberKind float_kind(const Scalar *s) {
  assert(s->kind >= SCALAR_FLOAT);
  return (NumberKind)(s->kind - SCALAR_FLOAT);
}
static bool is_float(const Scalar *s) {
  return s->kind >= SCALAR_FLOAT;
}

static const struct {
  LLVMOpcode from;
  Op to;
} narrow[] = {{LLVMAdd, OP_ADD},   {LLVMSub, OP_SUB},   {LLVMMul, OP_MUL},   {LLVMUDiv, OP_UDIV},
              {LLVMSDiv, OP_SDIV}, {LLVMURem, OP_UREM}, {LLVMSRem, OP_SREM}, {LLVMShl, OP_SHL},
              {LLVMLShr, OP_LSHR}, {LLVMAShr, OP_ASHR}, {LLVMAnd, OP_AND},   {LLVMOr, OP_OR},
              {LLVMXor, OP_XOR}};
static const struct {
  LLVMOpcode from;
  Op floats, doubles;
} real[] = {{LLVMFAdd, OP_FADD, OP_DADD},
            {LLVMFSub, OP_FSUB, OP_DSUB},
            {LLVMFMul, OP_FMUL, OP_DMUL},
            {LLVMFDiv, OP_FDIV, OP_DDIV}};

static Inst *emit_three(Compiler *k, Op op, uint32_t to, uint32_t a, uint32_t b) {
  Inst *i = emit(k, op);
  i->to = to, i->a = a, i->b = b;
  return i;
}

static void float_binary(Compiler *k, LLVMOpcode op, const Scalar *s, uint32_t to, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < sizeof real / sizeof *real; ++i) {
    if (real[i].from != op || s->kind == SCALAR_LONG_DOUBLE) continue;
    emit_three(k, s->kind == SCALAR_FLOAT ? real[i].floats : real[i].doubles, to, a, b);
    return;
  }
  Inst *i = emit_three(k, OP_FLOAT, to, a, b);
  i->more = (uint8_t)op, i->imm = float_kind(s);
}

static void binary(Compiler *k, LLVMValueRef v) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  const Layout *l = layout_of_value(k, v);
  uint32_t to = slot_of(k, v), a = slot_of(k, LLVMGetOperand(v, 0)), b = slot_of(k, LLVMGetOperand(v, 1));
  for (uint32_t n = 0; n < l->len; ++n) {
    const Scalar *s = &l->at[n];
    if (is_float(s)) {
      float_binary(k, op, s, to + s->slot, a + s->slot, b + s->slot);
    } else if (s->bits > 64) {
      Inst *i = emit_three(k, OP_WIDE, to + s->slot, a + s->slot, b + s->slot);
      i->more = (uint8_t)op, i->width = (uint8_t)s->bits;
    } else {
      size_t at = 0;
      while (at < sizeof narrow / sizeof *narrow && narrow[at].from != op) ++at;
      if (at == sizeof narrow / sizeof *narrow) {
        refuse(k, "an instruction that the interpreter does not know");
        return;
      }
      Inst *i = emit_three(k, narrow[at].to, to + s->slot, a + s->slot, b + s->slot);
      i->imm = mask_of(s->bits), i->width = (uint8_t)(64 - s->bits), i->bytes = s->bits;
    }
  }
}

static void compare_integers(Compiler *k, LLVMValueRef v) {
  LLVMIntPredicate p = LLVMGetICmpPredicate(v);
  const Layout *l = layout_of_value(k, LLVMGetOperand(v, 0));
  uint32_t to = slot_of(k, v), a = slot_of(k, LLVMGetOperand(v, 0)), b = slot_of(k, LLVMGetOperand(v, 1));
  bool turned = p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
  Op op = p == LLVMIntEQ                       ? OP_EQ
          : p == LLVMIntNE                     ? OP_NE
          : p == LLVMIntUGT || p == LLVMIntULT ? OP_ULT
          : p == LLVMIntUGE || p == LLVMIntULE ? OP_ULE
          : p == LLVMIntSGT || p == LLVMIntSLT ? OP_SLT
                                               : OP_SLE;
  for (uint32_t n = 0; n < l->len; ++n) {
    const Scalar *s = &l->at[n];
    uint32_t x = a + s->slot, y = b + s->slot;
    if (s->bits > 64) {
      Inst *i = emit_three(k, OP_WIDECMP, to + n, x, y);
      i->more = (uint8_t)p, i->width = (uint8_t)s->bits;
    } else {
      emit_three(k, op, to + n, turned ? y : x, turned ? x : y)->width = (uint8_t)(64 - s->bits);
    }
  }
}

static void compare_reals(Compiler *k, LLVMValueRef v) {
  const Layout *l = layout_of_value(k, LLVMGetOperand(v, 0));
  uint32_t to = slot_of(k, v), a = slot_of(k, LLVMGetOperand(v, 0)), b = slot_of(k, LLVMGetOperand(v, 1));
  for (uint32_t n = 0; n < l->len; ++n) {
    const Scalar *s = &l->at[n];
    Inst *i = emit_three(k, s->kind == SCALAR_DOUBLE ? OP_DCMP : OP_FCMP, to + n, a + s->slot, b + s->slot);
    i->more = (uint8_t)LLVMGetFCmpPredicate(v), i->imm = float_kind(s);
  }
}

static void moves(Compiler *k, uint32_t to, uint32_t from, uint32_t count) {
  if (!count) return;
  Inst *i = emit(k, count == 1 ? OP_MOVE : OP_MOVES);
  i->to = to, i->a = from, i->bytes = count;
}

static void cast_scalar(Compiler *k, LLVMOpcode op, const Scalar *f, const Scalar *t, uint32_t from,
                        uint32_t to) {
  bool wide = f->bits > 64 || t->bits > 64;
  if (!wide && (op == LLVMZExt || op == LLVMPtrToInt || op == LLVMIntToPtr || op == LLVMTrunc ||
                op == LLVMAddrSpaceCast)) {
    Inst *i = emit(k, t->bits < f->bits ? OP_MASK : OP_MOVE);
    i->to = to, i->a = from, i->imm = mask_of(t->bits), i->bytes = 1;
  } else if (!wide && op == LLVMSExt) {
    Inst *i = emit(k, OP_SEXT);
    i->to = to, i->a = from, i->width = (uint8_t)(64 - f->bits), i->imm = mask_of(t->bits);
  } else {
    if (op == LLVMPtrToInt) op = LLVMZExt;
    if (op == LLVMIntToPtr) op = LLVMTrunc;
    Inst *i = emit(k, OP_CAST);
    i->to = to, i->a = from, i->more = (uint8_t)op;
    i->b = is_float(f) ? (uint32_t)float_kind(f) : 3, i->c = is_float(t) ? (uint32_t)float_kind(t) : 3;
    i->bytes = f->bits, i->imm = t->bits;
    assert(i->b <= 3 && i->c <= 3);
  }
}

static bool same_rows(const Layout *f, const Layout *t) {
  bool same = f->len == t->len;
  for (uint32_t n = 0; n < f->len && same; ++n) same = f->at[n].bits == t->at[n].bits;
  return same;
}

// Between rows of other widths: by the bits, of at most 128, element by element of the narrower ones.
static void bitcast(Compiler *k, const Layout *f, const Layout *t, uint32_t from, uint32_t to) {
  if (same_rows(f, t)) {
    moves(k, to, from, f->slots);
    return;
  }
  refuse(k, "a bitcast between vectors of other widths");
  for (uint32_t n = 0; n < f->len; ++n)
    if (f->at[n].bits % 8) return;
  for (uint32_t n = 0; n < t->len; ++n)
    if (t->at[n].bits % 8) return;
  // Through memory of the frame.
  uint64_t at = (k->frame + 15) & ~UINT64_C(15), size = f->size > t->size ? f->size : t->size;
  k->frame = at + size;
  k->refused = NULL;
  for (int turn = 0; turn < 2; ++turn) {
    const Layout *l = turn ? t : f;
    for (uint32_t n = 0; n < l->len; ++n) {
      uint32_t address = slots_new(k, 1);
      Inst *a = emit(k, OP_LOCAL);
      a->to = address, a->imm = at + l->at[n].offset;
      Inst *i = emit(k, turn ? OP_LOADN : OP_STOREN);
      i->a = address, i->bytes = l->at[n].bytes, i->width = (uint8_t)l->at[n].bits;
      if (turn)
        i->to = to + l->at[n].slot;
      else
        i->b = from + l->at[n].slot;
    }
  }
}

static void cast(Compiler *k, LLVMValueRef v) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  LLVMValueRef operand = LLVMGetOperand(v, 0);
  const Layout *f = layout_of_value(k, operand), *t = layout_of_value(k, v);
  if (k->refused) return;
  uint32_t to = slot_of(k, v), from = slot_of(k, operand);
  if (op == LLVMBitCast) {
    bitcast(k, f, t, from, to);
    return;
  }
  assert(f->len == t->len);
  for (uint32_t n = 0; n < f->len; ++n)
    cast_scalar(k, op, &f->at[n], &t->at[n], from + f->at[n].slot, to + t->at[n].slot);
}

static void select_values(Compiler *k, LLVMValueRef v) {
  const Layout *l = layout_of_value(k, v), *by = layout_of_value(k, LLVMGetOperand(v, 0));
  uint32_t to = slot_of(k, v), if_ = slot_of(k, LLVMGetOperand(v, 0));
  uint32_t a = slot_of(k, LLVMGetOperand(v, 1)), b = slot_of(k, LLVMGetOperand(v, 2));
  for (uint32_t n = 0; n < l->len; ++n)
    for (uint32_t s = 0; s < (l->at[n].bits > 64 ? 2u : 1u); ++s) {
      uint32_t slot = l->at[n].slot + s;
      Inst *i = emit_three(k, OP_SELECT, to + slot, a + slot, b + slot);
      i->c = if_ + (by->len > 1 ? n : 0);
    }
}

// The first slot of what the indices name, and how many it has.
static uint32_t part_of(Compiler *k, LLVMTypeRef t, const unsigned *index, unsigned count, uint32_t *slots) {
  uint32_t at = 0;
  for (unsigned i = 0; i < count; ++i) {
    bool is_struct = LLVMGetTypeKind(t) == LLVMStructTypeKind;
    for (unsigned n = 0; n < index[i] && is_struct; ++n)
      at += layout_of(k->c, LLVMStructGetTypeAtIndex(t, n))->slots;
    t = is_struct ? LLVMStructGetTypeAtIndex(t, index[i]) : LLVMGetElementType(t);
    if (!is_struct) at += index[i] * layout_of(k->c, t)->slots;
  }
  *slots = layout_of(k->c, t)->slots;
  return at;
}

static void extract(Compiler *k, LLVMValueRef v) {
  LLVMValueRef whole = LLVMGetOperand(v, 0);
  uint32_t count, to = slot_of(k, v), from = slot_of(k, whole);
  uint32_t at = part_of(k, LLVMTypeOf(whole), LLVMGetIndices(v), LLVMGetNumIndices(v), &count);
  moves(k, to, from + at, count);
}

static void insert(Compiler *k, LLVMValueRef v) {
  uint32_t count, to = slot_of(k, v), whole = slot_of(k, LLVMGetOperand(v, 0)),
                  part = slot_of(k, LLVMGetOperand(v, 1));
  uint32_t at = part_of(k, LLVMTypeOf(v), LLVMGetIndices(v), LLVMGetNumIndices(v), &count);
  moves(k, to, whole, layout_of_value(k, v)->slots);
  moves(k, to + at, part, count);
}

static void pick(Compiler *k, Op op, uint32_t to, uint32_t from, LLVMValueRef index, const Layout *l,
                 uint32_t each) {
  uint32_t by = slot_of(k, index);
  Inst *i = emit(k, op);
  i->to = to, i->a = from, i->b = by, i->bytes = each, i->imm = l->len;
}

static void vector(Compiler *k, LLVMValueRef v) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  LLVMValueRef whole = LLVMGetOperand(v, 0);
  const Layout *l = layout_of_value(k, whole), *r = layout_of_value(k, v);
  uint32_t to = slot_of(k, v), from = slot_of(k, whole), each = l->len ? l->slots / l->len : 0;
  if (op == LLVMExtractElement) {
    pick(k, OP_PICK, to, from, LLVMGetOperand(v, 1), l, each);
  } else if (op == LLVMInsertElement) {
    uint32_t part = slot_of(k, LLVMGetOperand(v, 1));
    moves(k, to, from, l->slots);
    pick(k, OP_PLACE, to, part, LLVMGetOperand(v, 2), l, each);
  } else {
    uint32_t other = slot_of(k, LLVMGetOperand(v, 1));
    for (uint32_t n = 0; n < r->len; ++n) {
      int which = LLVMGetMaskValue(v, n);
      if (which < 0) which = 0;
      uint32_t source = (uint32_t)which < l->len ? from + (uint32_t)which * each
                                                 : other + ((uint32_t)which - l->len) * each;
      moves(k, to + n * each, source, each);
    }
  }
}

static void negate(Compiler *k, LLVMValueRef v) {
  const Layout *l = layout_of_value(k, v);
  uint32_t to = slot_of(k, v), a = slot_of(k, LLVMGetOperand(v, 0));
  for (uint32_t n = 0; n < l->len; ++n)
    float_binary(k, LLVMFNeg, &l->at[n], to + l->at[n].slot, a + l->at[n].slot, a + l->at[n].slot);
}

void compile_arithmetic(Compiler *k, LLVMValueRef v) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  if (LLVMIsABinaryOperator(v)) {
    binary(k, v);
  } else if (LLVMIsACastInst(v)) {
    cast(k, v);
  } else if (op == LLVMFNeg) {
    negate(k, v);
  } else if (op == LLVMICmp) {
    compare_integers(k, v);
  } else if (op == LLVMFCmp) {
    compare_reals(k, v);
  } else if (op == LLVMSelect) {
    select_values(k, v);
  } else if (op == LLVMExtractValue) {
    extract(k, v);
  } else if (op == LLVMInsertValue) {
    insert(k, v);
  } else if (op == LLVMExtractElement || op == LLVMInsertElement || op == LLVMShuffleVector) {
    vector(k, v);
  } else if (op == LLVMFreeze) {
    uint32_t to = slot_of(k, v), from = slot_of(k, LLVMGetOperand(v, 0));
    moves(k, to, from, layout_of_value(k, v)->slots);
  } else {
    refuse(k, "an instruction that the interpreter does not know");
  }
}

// Addresses, and what is read and written there.
#include <assert.h>
#include "compile.h"

static void compile_alloca(Compiler *k, LLVMValueRef v) {
  uint64_t known;
  uint32_t to = slot_of(k, v);
  if (map_get(k->local, map_key(v), &known)) {
    Inst *i = emit(k, OP_LOCAL);
    i->to = to, i->imm = known - 1;
    return;
  }
  uint32_t n = slot_of(k, LLVMGetOperand(v, 0));
  Inst *i = emit(k, OP_ALLOCA);
  i->to = to, i->a = n, i->imm = LLVMABISizeOfType(k->c->layout, LLVMGetAllocatedType(v));
  i->bytes = LLVMGetAlignment(v);
}

// Addresses of variables of the frame, or in them, need no check and no place in the trace.
static bool plain_scalar(const Layout *l) {
  const Scalar *s = l->at;
  return l->len == 1 && s->bits == s->bytes * 8 && s->bytes <= 8 && !(s->bytes & (s->bytes - 1));
}

static unsigned log_of(unsigned bytes) {
  return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

static void access_scalar(Compiler *k, bool store, const Scalar *s, uint32_t value, uint32_t address) {
  bool plain = s->bits == s->bytes * 8 && s->bytes <= 8 && !(s->bytes & (s->bytes - 1));
  Op first = store ? OP_STORE8 : OP_LOAD8;
  Op op = plain ? (Op)(first + log_of(s->bytes)) : store ? OP_STOREN : OP_LOADN;
  Inst *i = emit(k, op);
  i->a = address, i->imm = s->offset, i->bytes = s->bytes, i->width = (uint8_t)s->bits;
  if (store)
    i->b = value + s->slot;
  else
    i->to = value + s->slot;
}

static void access_value(Compiler *k, LLVMValueRef type_of, LLVMValueRef pointer, uint32_t value,
                         bool store) {
  const Layout *l = layout_of_value(k, type_of);
  uint64_t offset;
  if (k->refused) return;
  if (plain_scalar(l) && local_offset(k, pointer, l->at->bytes, &offset)) {
    Inst *i = emit(k, (Op)((store ? OP_PUT8 : OP_GET8) + log_of(l->at->bytes)));
    i->imm = offset, i->bytes = l->at->bytes;
    if (store)
      i->b = value;
    else
      i->to = value;
    return;
  }
  bool vector = LLVMGetTypeKind(LLVMTypeOf(type_of)) == LLVMVectorTypeKind;
  if (vector && l->len && l->at->bits % 8) {
    refuse(k, "a vector of bits in memory");
    return;
  }
  uint32_t address = slot_of(k, pointer);
  for (uint32_t n = 0; n < l->len; ++n) access_scalar(k, store, &l->at[n], value, address);
}

static uint32_t add_constant(Compiler *k, uint32_t at, uint64_t add, uint32_t to) {
  Inst *i = emit(k, OP_ADDI);
  i->to = to, i->a = at, i->imm = add;
  return to;
}

static void element_address(Compiler *k, LLVMValueRef v) {
  uint32_t to = slot_of(k, v), at = slot_of(k, LLVMGetOperand(v, 0));
  uint64_t add = 0;
  bool written = false;
  if (layout_of_value(k, v)->len != 1) {
    refuse(k, "a vector of addresses");
    return;
  }
  LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
  for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(v); ++n) {
    LLVMValueRef index = LLVMGetOperand(v, n);
    if (n > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      add += LLVMOffsetOfElement(k->c->layout, t, field);
      t = LLVMStructGetTypeAtIndex(t, field);
      continue;
    }
    if (n > 1) t = LLVMGetElementType(t);
    uint64_t size = LLVMABISizeOfType(k->c->layout, t);
    if (LLVMIsAConstantInt(index)) {
      add += (uint64_t)LLVMConstIntGetSExtValue(index) * size;
      continue;
    }
    uint32_t by = slot_of(k, index);
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
    Inst *i = emit(k, OP_SCALE);
    i->to = to, i->a = at, i->b = by, i->imm = size, i->width = (uint8_t)(bits < 64 ? 64 - bits : 0);
    at = to, written = true;
  }
  if (add || !written) add_constant(k, at, add, to);
}

static void exchange(Compiler *k, LLVMValueRef v) {
  bool compares = LLVMGetInstructionOpcode(v) == LLVMAtomicCmpXchg;
  LLVMValueRef value = LLVMGetOperand(v, 1);
  const Layout *l = layout_of_value(k, value);
  uint32_t to = slot_of(k, v), at = slot_of(k, LLVMGetOperand(v, 0)), b = slot_of(k, value);
  uint32_t c = compares ? slot_of(k, LLVMGetOperand(v, 2)) : 0;
  if (l->len != 1) {
    refuse(k, "an atomic operation on several values");
    return;
  }
  Inst *i = emit(k, compares ? OP_CMPXCHG : OP_RMW);
  i->to = to, i->a = at, i->b = b, i->c = c;
  i->bytes = l->at->bytes, i->width = (uint8_t)l->at->bits;
  if (compares) return;
  i->more = (uint8_t)LLVMGetAtomicRMWBinOp(v);
  i->imm = l->at->kind >= SCALAR_FLOAT ? 1u + l->at->kind - SCALAR_FLOAT : 0;
}

void compile_memory(Compiler *k, LLVMValueRef v) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAlloca:
      compile_alloca(k, v);
      break;
    case LLVMLoad:
      access_value(k, v, LLVMGetOperand(v, 0), slot_of(k, v), false);
      break;
    case LLVMStore:
      access_value(k, LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), slot_of(k, LLVMGetOperand(v, 0)), true);
      break;
    case LLVMGetElementPtr:
      element_address(k, v);
      break;
    case LLVMFence:  // one thread runs at a time
      break;
    default:
      exchange(k, v);
  }
}

// Where control goes.
#include <stdlib.h>
#include "compile.h"

typedef struct {
  uint64_t value, edge;
} Case;

static int by_value(const void *a, const void *b) {
  uint64_t x = ((const Case *)a)->value, y = ((const Case *)b)->value;
  return x < y ? -1 : x > y;
}

// In the pool: how many, the default edge, then values and edges in order.
static void compile_switch(Compiler *k, LLVMValueRef v) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
  uint32_t on = slot_of(k, LLVMGetOperand(v, 0));
  if (layout_of_value(k, LLVMGetOperand(v, 0))->slots != 1) {
    refuse(k, "a switch on an integer of more than 64 bits");
    return;
  }
  Vec(Case) cases = {0};
  uint64_t otherwise = edge_to(k, here, LLVMGetSwitchDefaultDest(v));
  for (unsigned i = 1; i < LLVMGetNumSuccessors(v); ++i) {
    LLVMValueRef value = LLVMGetOperand(v, 2 * i);
    Case one = {LLVMConstIntGetZExtValue(value), edge_to(k, here, LLVMGetSuccessor(v, i))};
    vec_push(&cases, one);
  }
  if (cases.len) qsort(cases.at, cases.len, sizeof *cases.at, by_value);
  Inst *i = emit(k, OP_SWITCH);
  i->a = on, i->imm = k->c->pool.len;
  vec_push(&k->c->pool, (uint64_t)cases.len);
  vec_push(&k->c->pool, otherwise);
  for (vec_each(n, &cases)) {
    vec_push(&k->c->pool, cases.at[n].value);
    vec_push(&k->c->pool, cases.at[n].edge);
  }
  vec_free(&cases);
}

static void branch(Compiler *k, LLVMValueRef v) {
  LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
  if (!LLVMIsConditional(v)) {
    uint32_t edge = edge_to(k, here, LLVMGetSuccessor(v, 0));
    emit(k, OP_BR)->imm = edge;
    return;
  }
  uint32_t on = slot_of(k, LLVMGetCondition(v));
  uint32_t yes = edge_to(k, here, LLVMGetSuccessor(v, 0)), no = edge_to(k, here, LLVMGetSuccessor(v, 1));
  Inst *i = emit(k, OP_CBR);
  i->a = on, i->to = yes, i->bytes = no;
}

void compile_flow(Compiler *k, LLVMValueRef v) {
  switch (LLVMGetInstructionOpcode(v)) {
    case LLVMBr:
      branch(k, v);
      break;
    case LLVMSwitch:
      compile_switch(k, v);
      break;
    case LLVMRet: {
      LLVMValueRef value = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
      uint32_t slot = value ? slot_of(k, value) : 0, count = value ? layout_of_value(k, value)->slots : 0;
      Inst *i = emit(k, OP_RET);
      i->a = slot, i->bytes = count;
      break;
    }
    case LLVMUnreachable:
      emit(k, OP_UNREACHABLE);
      break;
    case LLVMResume: {
      uint32_t slot = slot_of(k, LLVMGetOperand(v, 0));
      emit(k, OP_RESUME)->a = slot;
      break;
    }
    case LLVMLandingPad: {
      uint32_t slot = slot_of(k, v);
      emit(k, OP_LANDINGPAD)->to = slot;
      break;
    }
    default:
      refuse(k, "a jump to the address of a label");
  }
}

#include "operands.h"
#include <assert.h>
#include "number.h"

static SlotRange range(uint32_t first, uint32_t count) {
  return (SlotRange){first, count};
}

static uint32_t words(unsigned bits) {
  return bits > 64 ? 2 : 1;
}

static Operands arithmetic(uint32_t to, uint32_t gives, const uint32_t *from, unsigned count, uint32_t each) {
  Operands o = {.gives = range(to, gives)};
  for (unsigned n = 0; n < count; ++n) o.reads[n] = range(from[n], each);
  return o;
}

static Operands intrinsic(const Inst *i, const uint32_t *from) {
  bool real = i->more >= INTRINSIC_FIRST_FLOAT;
  uint32_t each = real ? (i->imm == NUMBER_LONG_DOUBLE ? 2 : 1) : words((unsigned)i->imm);
  bool checked = i->more >= INTRINSIC_SADD_OVER && i->more < INTRINSIC_FIRST_FLOAT;
  Operands o = arithmetic(i->to, each + checked, from, i->bytes, each);
  if (i->more == INTRINSIC_POWI || i->more == INTRINSIC_CLASS) o.reads[1].count = o.gives.count = 1;
  if (i->more == INTRINSIC_POWI) o.gives.count = each;
  return o;
}

static Operands access(const Inst *i) {
  uint32_t each = words(i->width);
  switch ((Op)i->op) {
    case OP_LOADN:
      return (Operands){.reads = {range(i->a, 1)}, .gives = range(i->to, each)};
    case OP_STOREN:
      return (Operands){.reads = {range(i->a, 1), range(i->b, each)}};
    case OP_RMW:
      return (Operands){.reads = {range(i->a, 1), range(i->b, each)}, .gives = range(i->to, each)};
    default:
      assert(i->op == OP_CMPXCHG);
      return (Operands){.reads = {range(i->a, 1), range(i->b, each), range(i->c, each)},
                        .gives = range(i->to, each + 1)};
  }
}

Operands operands_of(const Bytecode *c, const Inst *i) {
  const uint32_t from[] = {i->a, i->b, i->c};
  Op op = (Op)i->op;
  if (op <= OP_SLE || (op >= OP_FADD && op <= OP_DDIV) || op == OP_DCMP || op == OP_SCALE)
    return arithmetic(i->to, 1, from, 2, 1);
  switch (op) {
    case OP_PICK:
      return (Operands){.reads = {range(i->a, (uint32_t)i->imm * i->bytes), range(i->b, 1)},
                        .gives = range(i->to, i->bytes)};
    case OP_PLACE:  // the others of the row stay
      return (Operands){
          .reads = {range(i->a, i->bytes), range(i->b, 1), range(i->to, (uint32_t)i->imm * i->bytes)},
          .gives = range(i->to, (uint32_t)i->imm * i->bytes)};
    case OP_MOVES:
      return (Operands){.reads = {range(i->a, i->bytes)}, .gives = range(i->to, i->bytes)};
    case OP_MOVE:
    case OP_MASK:
    case OP_SEXT:
    case OP_ADDI:
    case OP_TYPEID:
    case OP_ALLOCA:
    case OP_LOAD8:
    case OP_LOAD16:
    case OP_LOAD32:
    case OP_LOAD64:
      return arithmetic(i->to, 1, from, 1, 1);
    case OP_SELECT:
      return arithmetic(i->to, 1, from, 3, 1);
    case OP_LOCAL:
    case OP_THREAD:
    case OP_STACKSAVE:
    case OP_GET8:
    case OP_GET16:
    case OP_GET32:
    case OP_GET64:
      return arithmetic(i->to, 1, from, 0, 1);
    case OP_WIDE:
      return arithmetic(i->to, words(i->width), from, 2, words(i->width));
    case OP_WIDECMP:
      return arithmetic(i->to, 1, from, 2, words(i->width));
    case OP_FCMP:
      return arithmetic(i->to, 1, from, 2, i->imm == NUMBER_LONG_DOUBLE ? 2 : 1);
    case OP_FLOAT:
      return arithmetic(i->to, i->imm == NUMBER_LONG_DOUBLE ? 2 : 1, from, 2,
                        i->imm == NUMBER_LONG_DOUBLE ? 2 : 1);
    case OP_CAST:
      return arithmetic(i->to, words((unsigned)i->imm), from, 1, words(i->bytes));
    case OP_INTRINSIC:
      return intrinsic(i, from);
    case OP_STORE8:
    case OP_STORE16:
    case OP_STORE32:
    case OP_STORE64:
    case OP_VACOPY:
    case OP_LONGJMP:
      return arithmetic(0, 0, from, 2, 1);
    case OP_PUT8:
    case OP_PUT16:
    case OP_PUT32:
    case OP_PUT64:
      return (Operands){.reads = {range(i->b, 1)}};
    case OP_LOADN:
    case OP_STOREN:
    case OP_RMW:
    case OP_CMPXCHG:
      return access(i);
    case OP_COPY:
    case OP_FILL:
      return arithmetic(0, 0, from, 3, 1);
    case OP_CBR:
    case OP_SWITCH:
    case OP_RESUME:
    case OP_STACKRESTORE:
    case OP_BEGIN:
    case OP_VASTART:
      return arithmetic(0, 0, from, 1, 1);
    case OP_RET:
      return (Operands){.reads = {range(i->a, i->bytes)}};
    case OP_LANDINGPAD:
      return (Operands){.gives = range(i->to, 2)};
    case OP_ICALL: {
      const Call *call = &c->calls.at[i->imm];
      return (Operands){.reads = {range(i->a, 1)}, .gives = range(call->result, call->result_count)};
    }
    case OP_CALL:
    case OP_SYNC:
    case OP_HOST: {
      const Call *call = &c->calls.at[i->imm];
      return (Operands){.gives = range(call->result, call->result_count)};
    }
    case OP_SETJMP: {
      const Call *call = &c->calls.at[i->imm];
      return (Operands){.reads = {range(i->a, 1)}, .gives = range(call->result, call->result_count)};
    }
    default:
      return (Operands){0};
  }
}

Does does_what(const Inst *i) {
  Op op = (Op)i->op;
  if (op >= OP_LOAD8 && op <= OP_LOADN) return DOES_LOAD;
  if (op >= OP_STORE8 && op <= OP_STOREN) return DOES_STORE;
  if (op >= OP_GET8 && op <= OP_GET64) return DOES_GET;
  if (op >= OP_PUT8 && op <= OP_PUT64) return DOES_PUT;
  bool effects = op == OP_VASTART || op == OP_VACOPY;
  return ends_step(i) || addresses_of(i) || effects ? DOES_OTHER : DOES_RESULT;
}

unsigned addresses_of(const Inst *i) {
  Op op = (Op)i->op;
  if ((op >= OP_LOAD8 && op <= OP_STOREN) || op == OP_RMW || op == OP_CMPXCHG) return 1;
  if (op == OP_FILL || op == OP_BEGIN || op == OP_ALLOCA) return 2;
  return op == OP_COPY ? 3 : 0;
}

bool ends_step(const Inst *i) {
  switch ((Op)i->op) {
    case OP_BR:
    case OP_CBR:
    case OP_SWITCH:
    case OP_INDIRECTBR:
    case OP_RET:
    case OP_UNREACHABLE:
    case OP_CALL:
    case OP_ICALL:
    case OP_SYNC:
    case OP_HOST:
    case OP_SETJMP:
    case OP_LONGJMP:
    case OP_RESUME:
    case OP_REFUSED:
      return true;
    default:
      return false;
  }
}

// symex/step -- inside symex/: the loop over instructions, compiled for each of TRACED and WATCHED. No guard
// on purpose.
//
// What is frequent is done here; all else is called. Addresses of variables of the frame need no check: the
// compiler has seen that the access lies inside. pc, slots and the frame's memory live in locals between
// calls.
#include <assert.h>
#include "machine.h"
#include "number.h"

#define ENTER_FRAME()                                                                      \
  (f = frame_of(t), v = t->slots.at + f->first, own = memory_bytes(&m->memory, f->memory), \
   own_flags = memory_flags(&m->memory, f->memory), code = m->code->insts.at, pc = t->pc)
#define SIGNED(x, shift) ((int64_t)((x) << (shift)) >> (shift))
#define DONE(how) \
  do {            \
    t->pc = pc;   \
    return (how); \
  } while (0)
#define OUT(ok)                                                                                 \
  do {                                                                                          \
    if (!(ok) || m->over) return m->over || t->state == THREAD_ENDED ? STEP_ENDED : STEP_WAITS; \
    ENTER_FRAME();                                                                              \
  } while (0)
#define EDGE(n)                                           \
  do {                                                    \
    const Edge *edge = &m->code->edges.at[n];             \
    if (edge->count) {                                    \
      take_edge(m, t, (uint32_t)(n));                     \
      pc = edge->pc;                                      \
    } else {                                              \
      pc = edge->pc;                                      \
      m->fuel -= edge->cost;                              \
      if (TRACED) run_trace_step(m->trace, f->trace, pc); \
    }                                                     \
    if (m->fuel <= 0) DONE(STEP_FUEL);                    \
  } while (0)
#define READ(type)                                                                                   \
  do {                                                                                               \
    uint64_t at = v[i->a] + i->imm, off = at - MEMORY_BASE;                                          \
    type flags, value;                                                                               \
    if (off >= m->memory.limit) goto bad_read;                                                       \
    memcpy(&flags, m->memory.flags + off, sizeof flags);                                             \
    if ((flags & (type)MEMORY_ALL(MEMORY_EXISTS)) != (type)MEMORY_ALL(MEMORY_EXISTS)) goto bad_read; \
    if ((flags & (type)MEMORY_ALL(MEMORY_WRITTEN)) != (type)MEMORY_ALL(MEMORY_WRITTEN))              \
      ++m->result->unwritten;                                                                        \
    memcpy(&value, m->memory.bytes + off, sizeof value);                                             \
    v[i->to] = value;                                                                                \
    if (TRACED) run_trace_address(m->trace, at);                                                     \
  } while (0)
#define WRITE(type)                                                                              \
  do {                                                                                           \
    uint64_t at = v[i->a] + i->imm, off = at - MEMORY_BASE;                                      \
    type flags, value = (type)v[i->b], mask = (type)MEMORY_ALL(MEMORY_EXISTS | MEMORY_CONSTANT); \
    if (off >= m->memory.limit) goto bad_write;                                                  \
    memcpy(&flags, m->memory.flags + off, sizeof flags);                                         \
    if ((flags & mask) != (type)MEMORY_ALL(MEMORY_EXISTS)) goto bad_write;                       \
    flags = (type)MEMORY_ALL(MEMORY_EXISTS | MEMORY_WRITTEN);                                    \
    memcpy(m->memory.flags + off, &flags, sizeof flags);                                         \
    memcpy(m->memory.bytes + off, &value, sizeof value);                                         \
    if (TRACED) run_trace_address(m->trace, at);                                                 \
  } while (0)
#define GET(type)                               \
  do {                                          \
    type value;                                 \
    memcpy(&value, own + i->imm, sizeof value); \
    v[i->to] = value;                           \
  } while (0)
#define PUT(type)                                                                         \
  do {                                                                                    \
    type value = (type)v[i->b], flags = (type)MEMORY_ALL(MEMORY_EXISTS | MEMORY_WRITTEN); \
    memcpy(own + i->imm, &value, sizeof value);                                           \
    memcpy(own_flags + i->imm, &flags, sizeof flags);                                     \
  } while (0)
#define REAL(type, op)                                              \
  do {                                                              \
    type x, y;                                                      \
    memcpy(&x, &v[i->a], sizeof x), memcpy(&y, &v[i->b], sizeof y); \
    x = x op y;                                                     \
    v[i->to] = 0, memcpy(&v[i->to], &x, sizeof x);                  \
  } while (0)
#define OVER()                                                                    \
  do {                                                                            \
    t->pc = pc;                                                                   \
    machine_die(m, t, 8, "integer division by zero, or its result does not fit"); \
    return STEP_ENDED;                                                            \
  } while (0)
#define BINARY(expression)             \
  do {                                 \
    uint64_t x = v[i->a], y = v[i->b]; \
    v[i->to] = (expression)&i->imm;    \
  } while (0)
#define COMPARE(expression)            \
  do {                                 \
    uint64_t x = v[i->a], y = v[i->b]; \
    v[i->to] = (expression);           \
  } while (0)

StepEnd STEP_NAME(Machine *m, Thread *t) {
  const Inst *code;
  Frame *f;
  uint64_t *v;
  unsigned char *own, *own_flags;
  uint32_t pc;
  if (!follow_pending(m, t)) return m->over ? STEP_ENDED : STEP_WAITS;
  ENTER_FRAME();
  if (TRACED) run_trace_step(m->trace, f->trace | TRACE_GOES_ON, pc);
  for (;;) {
    const Inst *i = &code[pc];
    if (WATCHED && !watch_step(m, t, pc)) DONE(STEP_FUEL);
    switch ((Op)i->op) {
      case OP_ADD:
        BINARY(x + y);
        break;
      case OP_SUB:
        BINARY(x - y);
        break;
      case OP_MUL:
        BINARY(x * y);
        break;
      case OP_AND:
        BINARY(x & y);
        break;
      case OP_OR:
        BINARY(x | y);
        break;
      case OP_XOR:
        BINARY(x ^ y);
        break;
      case OP_SHL:
        BINARY(y < i->bytes ? x << y : 0);
        break;
      case OP_LSHR:
        BINARY(y < i->bytes ? x >> y : 0);
        break;
      case OP_ASHR:
        BINARY((uint64_t)(SIGNED(x, i->width) >> (y < i->bytes ? y : i->bytes - 1)));
        break;
      case OP_UDIV:
        if (!v[i->b]) OVER();
        BINARY(x / y);
        break;
      case OP_UREM:
        if (!v[i->b]) OVER();
        BINARY(x % y);
        break;
      case OP_SDIV:
      case OP_SREM: {
        int64_t x = SIGNED(v[i->a], i->width), y = SIGNED(v[i->b], i->width);
        if (!y || (y == -1 && x == SIGNED(UINT64_C(1) << (i->bytes - 1), i->width))) OVER();
        v[i->to] = (uint64_t)(i->op == OP_SDIV ? x / y : x % y) & i->imm;
        break;
      }
      case OP_EQ:
        COMPARE(x == y);
        break;
      case OP_NE:
        COMPARE(x != y);
        break;
      case OP_ULT:
        COMPARE(x < y);
        break;
      case OP_ULE:
        COMPARE(x <= y);
        break;
      case OP_SLT:
        COMPARE(SIGNED(x, i->width) < SIGNED(y, i->width));
        break;
      case OP_SLE:
        COMPARE(SIGNED(x, i->width) <= SIGNED(y, i->width));
        break;
      case OP_MOVE:
        v[i->to] = v[i->a];
        break;
      case OP_MOVES:
        memmove(v + i->to, v + i->a, i->bytes * sizeof *v);
        break;
      case OP_MASK:
        v[i->to] = v[i->a] & i->imm;
        break;
      case OP_SEXT:
        v[i->to] = (uint64_t)SIGNED(v[i->a], i->width) & i->imm;
        break;
      case OP_SELECT:
        v[i->to] = v[i->c] ? v[i->a] : v[i->b];
        break;
      case OP_ADDI:
        v[i->to] = v[i->a] + i->imm;
        break;
      case OP_SCALE:
        v[i->to] = v[i->a] + (uint64_t)SIGNED(v[i->b], i->width) * i->imm;
        break;
      case OP_LOCAL:
        v[i->to] = f->memory + i->imm;
        break;
      case OP_THREAD:
        v[i->to] = t->thread_locals + i->imm;
        break;
      case OP_WIDE:
        if (!number_wide((LLVMOpcode)i->more, i->width, v + i->a, v + i->b, v + i->to)) OVER();
        break;
      case OP_WIDECMP:
        v[i->to] = number_wide_compare((LLVMIntPredicate)i->more, i->width, v + i->a, v + i->b);
        break;
      case OP_FADD:
        REAL(float, +);
        break;
      case OP_FSUB:
        REAL(float, -);
        break;
      case OP_FMUL:
        REAL(float, *);
        break;
      case OP_FDIV:
        REAL(float, /);
        break;
      case OP_DADD:
        REAL(double, +);
        break;
      case OP_DSUB:
        REAL(double, -);
        break;
      case OP_DMUL:
        REAL(double, *);
        break;
      case OP_DDIV:
        REAL(double, /);
        break;
      case OP_DCMP: {
        double x, y;
        memcpy(&x, &v[i->a], sizeof x), memcpy(&y, &v[i->b], sizeof y);
        v[i->to] = (i->more & (x == y ? 1u : x > y ? 2u : x < y ? 4u : 8u)) != 0;
        break;
      }
      case OP_FCMP:
        v[i->to] = number_compare((LLVMRealPredicate)i->more, (NumberKind)i->imm, v + i->a, v + i->b);
        break;
      case OP_FLOAT:
        number_float((LLVMOpcode)i->more, (NumberKind)i->imm, v + i->a, v + i->b, v + i->to);
        break;
      case OP_CAST:
        number_cast((LLVMOpcode)i->more, i->b, i->bytes, i->c, (unsigned)i->imm, v + i->a, v + i->to);
        break;
      case OP_INTRINSIC:
        number_intrinsic((NumberIntrinsic)i->more, (unsigned)i->imm, v + i->a, i->bytes > 1 ? v + i->b : NULL,
                         i->bytes > 2 ? v + i->c : NULL, v + i->to);
        break;
      case OP_LOAD8:
        READ(uint8_t);
        break;
      case OP_LOAD16:
        READ(uint16_t);
        break;
      case OP_LOAD32:
        READ(uint32_t);
        break;
      case OP_LOAD64:
        READ(uint64_t);
        break;
      case OP_STORE8:
        WRITE(uint8_t);
        break;
      case OP_STORE16:
        WRITE(uint16_t);
        break;
      case OP_STORE32:
        WRITE(uint32_t);
        break;
      case OP_STORE64:
        WRITE(uint64_t);
        break;
      case OP_LOADN: {
        uint64_t words[2] = {0}, at = v[i->a] + i->imm;
        t->pc = pc;
        if (!machine_load(m, t, at, words, i->bytes)) return STEP_ENDED;
        if (i->width < 64) words[0] &= (UINT64_C(1) << i->width) - 1;
        if (i->width > 64) v[i->to + 1] = words[1];
        v[i->to] = words[0];
        if (TRACED) run_trace_address(m->trace, at);
        break;
      }
      case OP_STOREN: {
        uint64_t at = v[i->a] + i->imm;
        t->pc = pc;
        if (!machine_store(m, t, at, v + i->b, i->bytes)) return STEP_ENDED;
        if (TRACED) run_trace_address(m->trace, at);
        break;
      }
      case OP_GET8:
        GET(uint8_t);
        break;
      case OP_GET16:
        GET(uint16_t);
        break;
      case OP_GET32:
        GET(uint32_t);
        break;
      case OP_GET64:
        GET(uint64_t);
        break;
      case OP_PUT8:
        PUT(uint8_t);
        break;
      case OP_PUT16:
        PUT(uint16_t);
        break;
      case OP_PUT32:
        PUT(uint32_t);
        break;
      case OP_PUT64:
        PUT(uint64_t);
        break;
      case OP_BR:
        EDGE(i->imm);
        continue;
      case OP_CBR:
        EDGE(v[i->a] ? i->to : i->bytes);
        continue;
      case OP_SWITCH:
        EDGE(switch_edge(m->code->pool.at + i->imm, v[i->a]));
        continue;
      case OP_RET:
        t->pc = pc;
        OUT(step_return(m, t, i));
        if (m->fuel <= 0) return STEP_FUEL;
        continue;
      case OP_CALL: {
        t->pc = pc;
        const Call *call = &m->code->calls.at[i->imm];
        OUT((!call->derived || follow_call(m, t, call)) && frame_push(m, t, i->a, call, NULL, 0));
        continue;
      }
      default:
        t->pc = pc;
        OUT(step_rare(m, t, i));
        if (m->fuel <= 0) return STEP_FUEL;
        continue;
    }
    ++pc;
    continue;
  bad_read:
    t->pc = pc;
    machine_fault(m, t, v[i->a] + i->imm, "read from");
    return STEP_ENDED;
  bad_write:
    t->pc = pc;
    machine_fault(m, t, v[i->a] + i->imm, "write to");
    return STEP_ENDED;
  }
}
#undef ENTER_FRAME
#undef SIGNED
#undef DONE
#undef OUT
#undef EDGE
#undef READ
#undef WRITE
#undef GET
#undef PUT
#undef REAL
#undef OVER
#undef BINARY
#undef COMPARE

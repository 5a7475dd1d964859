// Instructions that are rare or long, and the loops.
#include "machine.h"
#include "number.h"
#include <assert.h>

uint64_t switch_edge(const uint64_t *cases, uint64_t value) {
  uint64_t low = 0, high = cases[0];
  const uint64_t *at = cases + 2;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (at[2 * middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < cases[0] && at[2 * low] == value ? at[2 * low + 1] : cases[1];
}

static void next_instruction(Machine *m, Thread *t) {
  ++t->pc;
  if (m->trace) run_trace_step(m->trace, frame_of(t)->trace, t->pc);
}

// The call that a frame returns to, as its instruction says; NULL: the instruction is executed again.
static bool step_return(Machine *m, Thread *t, const Inst *i) {
  enum { FEW = 8 };
  Frame left = *frame_of(t);
  if (t->frames.len == 1) return machine_stop(m, t, RUN_REFUSED, "a thread's first function returned"), false;
  uint64_t few[FEW], *words = i->bytes <= FEW ? few : mem_array(i->bytes, sizeof *words);
  if (i->bytes) memcpy(words, slots_of(t) + i->a, i->bytes * sizeof *words);
  frame_pop(m, t);
  Frame *f = frame_of(t);
  if (left.again) {
    f->once = true;
    if (m->trace) run_trace_step(m->trace, f->trace, t->pc);
  } else {
    const Call *call = &m->code->calls.at[m->code->insts.at[t->pc].imm];
    uint32_t count = call->result_count < i->bytes ? call->result_count : i->bytes;
    if (count) memcpy(slots_of(t) + call->result, words, count * sizeof *words);
    f->called = false;
    if (call->derived) t->returning = call->site;
    if (call->normal != CODE_NONE)
      take_edge(m, t, call->normal);
    else
      next_instruction(m, t);
  }
  if (words != few) mem_free(words);
  return left.again || t->returning == SITE_NONE || follow_pending(m, t);
}

static bool copy_bytes(Machine *m, Thread *t, uint64_t to, uint64_t from, uint64_t size) {
  if (!size) return true;
  if (!memory_readable(&m->memory, from, size)) return machine_fault(m, t, from, "read from"), false;
  if (!memory_writable(&m->memory, to, size)) return machine_fault(m, t, to, "write to"), false;
  memmove(memory_bytes(&m->memory, to), memory_bytes(&m->memory, from), size);
  memmove(memory_flags(&m->memory, to), memory_flags(&m->memory, from), size);
  unsigned char *flags = memory_flags(&m->memory, to);
  for (uint64_t n = 0; n < size; ++n) flags[n] &= (unsigned char)~MEMORY_CONSTANT;
  return true;
}

static bool fill_bytes(Machine *m, Thread *t, uint64_t to, uint64_t value, uint64_t size) {
  if (!size) return true;
  if (!memory_writable(&m->memory, to, size)) return machine_fault(m, t, to, "write to"), false;
  memset(memory_bytes(&m->memory, to), (int)(value & 0xff), size);
  memory_flag(&m->memory, to, size, MEMORY_EXISTS | MEMORY_WRITTEN);
  return true;
}

static bool begin_life(Machine *m, Thread *t, uint64_t at, uint64_t size) {
  if (size > UINT32_MAX) return true;
  if (!memory_readable(&m->memory, at, size)) return machine_fault(m, t, at, "use"), false;
  memory_flag(&m->memory, at, size, MEMORY_EXISTS);
  return true;
}

static void float_update(const Inst *i, const uint64_t *old, const uint64_t *by, uint64_t *new) {
  NumberKind kind = (NumberKind)(i->imm - 1);
  long double x = number_read(kind, old), y = number_read(kind, by);
  LLVMAtomicRMWBinOp op = (LLVMAtomicRMWBinOp)i->more;
  if (op == LLVMAtomicRMWBinOpXchg)
    *new = *by;
  else if (op == LLVMAtomicRMWBinOpFAdd || op == LLVMAtomicRMWBinOpFSub)
    number_float(op == LLVMAtomicRMWBinOpFAdd ? LLVMFAdd : LLVMFSub, kind, old, by, new);
  else
    number_write(kind, (op == LLVMAtomicRMWBinOpFMax) == (x > y) ? x : y, new);
}

static void update(const Inst *i, const uint64_t *old, const uint64_t *by, uint64_t *new) {
  unsigned bits = i->width;
  switch ((LLVMAtomicRMWBinOp)i->more) {
    case LLVMAtomicRMWBinOpAdd:
      number_wide(LLVMAdd, bits, old, by, new);
      break;
    case LLVMAtomicRMWBinOpSub:
      number_wide(LLVMSub, bits, old, by, new);
      break;
    case LLVMAtomicRMWBinOpAnd:
      number_wide(LLVMAnd, bits, old, by, new);
      break;
    case LLVMAtomicRMWBinOpOr:
      number_wide(LLVMOr, bits, old, by, new);
      break;
    case LLVMAtomicRMWBinOpXor:
      number_wide(LLVMXor, bits, old, by, new);
      break;
    case LLVMAtomicRMWBinOpNand:
      number_wide(LLVMAnd, bits, old, by, new);
      new[0] = ~new[0], new[1] = ~new[1];
      break;
    case LLVMAtomicRMWBinOpMax:
      memcpy(new, number_wide_compare(LLVMIntSGT, bits, old, by) ? old : by, 16);
      break;
    case LLVMAtomicRMWBinOpMin:
      memcpy(new, number_wide_compare(LLVMIntSLT, bits, old, by) ? old : by, 16);
      break;
    case LLVMAtomicRMWBinOpUMax:
      memcpy(new, number_wide_compare(LLVMIntUGT, bits, old, by) ? old : by, 16);
      break;
    case LLVMAtomicRMWBinOpUMin:
      memcpy(new, number_wide_compare(LLVMIntULT, bits, old, by) ? old : by, 16);
      break;
    default:
      memcpy(new, by, 16);
  }
}

static bool exchange(Machine *m, Thread *t, const Inst *i) {
  uint64_t *v = slots_of(t), at = v[i->a], old[2] = {0}, by[2] = {v[i->b]}, new[2] = {0};
  bool wide = i->width > 64;
  if (wide) by[1] = v[i->b + 1];
  if (!machine_load(m, t, at, old, i->bytes)) return false;
  bool writes = true;
  if (i->op == OP_CMPXCHG) {
    writes = old[0] == by[0] && old[1] == by[1];
    new[0] = v[i->c];
    if (wide) new[1] = v[i->c + 1];
    v[i->to + (wide ? 2 : 1)] = writes;
  } else if (i->imm) {
    float_update(i, old, by, new);
  } else {
    update(i, old, by, new);
  }
  v[i->to] = old[0];
  if (wide) v[i->to + 1] = old[1];
  if (writes && !machine_store(m, t, at, new, i->bytes)) return false;
  // One that fails writes nothing; which it was stands beside the address.
  if (m->trace) run_trace_address(m->trace, at << 1 | writes);
  return ++t->pc, true;
}

static bool copies(Machine *m, Thread *t, const Inst *i) {
  const uint64_t *v = slots_of(t);
  uint64_t a = v[i->a], b = v[i->b], size = i->op == OP_BEGIN ? i->imm : v[i->c];
  bool ok = i->op == OP_COPY   ? copy_bytes(m, t, a, b, size)
            : i->op == OP_FILL ? fill_bytes(m, t, a, b, size)
                               : begin_life(m, t, a, size);
  if (!ok) return false;
  if (m->trace) {
    run_trace_address(m->trace, a);
    if (i->op == OP_COPY) run_trace_address(m->trace, b);
    run_trace_address(m->trace, size);
  }
  return ++t->pc, true;
}

static bool reserve(Machine *m, Thread *t, const Inst *i) {
  uint64_t *v = slots_of(t), count = v[i->a];
  if (i->imm && count > UINT32_MAX / i->imm) return machine_die(m, t, 11, "the stack is full"), false;
  uint64_t at = frame_alloca(m, t, count * i->imm, i->bytes);
  if (!at) return false;
  slots_of(t)[i->to] = at;
  if (m->trace) run_trace_address(m->trace, at), run_trace_address(m->trace, count * i->imm);
  return ++t->pc, true;
}

static bool step_rare(Machine *m, Thread *t, const Inst *i) {
  uint64_t *v = slots_of(t);
  const Call *call =
      i->op == OP_ICALL || i->op == OP_SYNC || i->op == OP_HOST ? &m->code->calls.at[i->imm] : NULL;
  switch ((Op)i->op) {
    case OP_PICK:  // one that is not there is nothing
      if (v[i->b] < i->imm) memcpy(v + i->to, v + i->a + v[i->b] * i->bytes, i->bytes * sizeof *v);
      return ++t->pc, true;
    case OP_PLACE:
      if (v[i->b] < i->imm) memcpy(v + i->to + v[i->b] * i->bytes, v + i->a, i->bytes * sizeof *v);
      return ++t->pc, true;
    case OP_ALLOCA:
      return reserve(m, t, i);
    case OP_STACKSAVE:
      return v[i->to] = frame_of(t)->top, ++t->pc, true;
    case OP_STACKRESTORE:
      return ++t->pc, true;  // what was reserved since stays until the frame is left
    case OP_COPY:
    case OP_FILL:
    case OP_BEGIN:
      return copies(m, t, i);
    case OP_RMW:
    case OP_CMPXCHG:
      return exchange(m, t, i);
    case OP_ICALL:
      return call_through(m, t, call, v[i->a]);
    case OP_SYNC:
      return sync_perform(m, t, call, call->sync);
    case OP_HOST:
      return host_call(m, t, call, i->a);
    case OP_ENTERED:
      return follow_entered(m, t) ? (++t->pc, true) : false;
    case OP_LANDINGPAD:
      return unwind_pad(m, t, i), ++t->pc, true;
    case OP_RESUME:
      return t->exception = v[i->a], unwind_on(m, t);
    case OP_TYPEID:
      return v[i->to] = v[i->a] & INT32_MAX, ++t->pc, true;
    case OP_VASTART:
      return frame_arguments(m, t, v[i->a]) ? (++t->pc, true) : false;
    case OP_VACOPY:
      return frame_copy_list(m, t, v[i->a], v[i->b]) ? (++t->pc, true) : false;
    case OP_SETJMP:
      return jump_save(m, t, i);
    case OP_LONGJMP:
      return jump_back(m, t, v[i->a], v[i->b]);
    case OP_PAUSE:
      return ++t->pc, machine_yield(m), true;
    case OP_UNREACHABLE:
      machine_die(m, t, 4,
                  i->more ? "a trap"
                          : "control came to the end of a function that returns a value, or behind a call "
                            "that never returns");
      return false;
    default:
      assert(i->op == OP_REFUSED);
      machine_stop(m, t, RUN_REFUSED, "%s", m->code->reasons.at[i->imm]);
      return false;
  }
}

#define TRACED 0
#define WATCHED 0
#define STEP_NAME machine_step
#include "step.h"
#undef TRACED
#undef STEP_NAME
#define TRACED 1
#define STEP_NAME machine_step_traced
#include "step.h"
#undef WATCHED
#undef STEP_NAME
#define WATCHED 1
#define STEP_NAME machine_step_watched
#include "step.h"
#undef TRACED
#undef STEP_NAME
#define TRACED 0
#define STEP_NAME machine_step_alone
#include "step.h"

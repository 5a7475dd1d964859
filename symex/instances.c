// A step is a row of instructions, so the number of an instance is that of the first one of its step, and how
// far its pc is behind that of the step. Where a step ends stands in the trace only backwards: what continues
// it says so.
#include "instances.h"
#include <assert.h>
#include "inside.h"
#include "operands.h"

struct Instances {
  const Bytecode *c;
  const RunTrace *t;
  uint32_t *first;  // by step: number of its first instance; one more at the end
};

static bool fill(Instances *x) {
  const RunTrace *t = x->t;
  uint32_t *cuts = mem_array(t->frames.len + 1, sizeof *cuts);
  uint64_t count = 0;
  for (vec_each(i, &t->frames)) cuts[i] = t->frames.at[i].stopped;
  for (size_t step = t->steps.len; step-- > 0;) {
    const TraceStep *s = &t->steps.at[step];
    uint32_t frame = s->frame & ~TRACE_GOES_ON, end = cuts[frame];
    if (end == TRACE_NONE) {
      end = s->pc;
      while (!ends_step(&x->c->insts.at[end])) ++end;
      ++end;
    }
    cuts[frame] = s->frame & TRACE_GOES_ON ? s->pc : TRACE_NONE;
    x->first[step] = end - s->pc;
    count += end - s->pc;
  }
  mem_free(cuts);
  uint32_t sum = 0;
  for (size_t step = 0; step <= t->steps.len; ++step) {
    uint32_t n = step < t->steps.len ? x->first[step] : 0;
    x->first[step] = sum;
    sum += n;
  }
  return count < UINT32_MAX;
}

Instances *instances_new(const Runner *r, const RunTrace *t) {
  Instances *x = mem_alloc(sizeof *x);
  x->c = runner_code(r), x->t = t;
  x->first = mem_array(t->steps.len + 1, sizeof *x->first);
  bool fits = fill(x);
  CHECKED(instances_check(x));
  if (fits) return x;
  return instances_free(x), NULL;
}

void instances_free(Instances *x) {
  if (!x) return;
  mem_free(x->first);
  mem_free(x);
}

uint32_t instances_count(const Instances *x) {
  return x->first[x->t->steps.len];
}

uint32_t instances_end(const Instances *x, uint32_t step) {
  return x->t->steps.at[step].pc + (x->first[step + 1] - x->first[step]);
}

uint32_t instances_number(const Instances *x, RunInstance at) {
  assert(at.step < x->t->steps.len && at.pc >= x->t->steps.at[at.step].pc);
  assert(at.pc < instances_end(x, at.step));
  return x->first[at.step] + (at.pc - x->t->steps.at[at.step].pc);
}

RunInstance instances_at(const Instances *x, uint32_t number) {
  assert(number < instances_count(x));
  size_t low = 0, high = x->t->steps.len;  // the last step that begins at it or before
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (x->first[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  return (RunInstance){(uint32_t)low, x->t->steps.at[low].pc + (number - x->first[low])};
}

uint32_t instances_frame(const Instances *x, uint32_t step) {
  return x->t->steps.at[step].frame & ~TRACE_GOES_ON;
}

uint32_t instances_thread(const Instances *x, uint32_t step) {
  return x->t->frames.at[instances_frame(x, step)].thread;
}

void instances_check(const Instances *x) {
  for (vec_each(s, &x->t->steps)) assert(x->first[s] <= x->first[s + 1]);
}

uint32_t runner_pcs(const Runner *r) {
  return (uint32_t)runner_code(r)->insts.len;
}

LLVMValueRef runner_inst(const Runner *r, uint32_t pc) {
  return bytecode_origin(runner_code(r), pc);
}

CodeRole runner_role(const Runner *r, uint32_t pc) {
  Op op = (Op)runner_code(r)->insts.at[pc].op;
  if (op == OP_CBR || op == OP_SWITCH) return CODE_BRANCH;
  if ((op >= OP_LOAD8 && op <= OP_LOADN) || (op >= OP_GET8 && op <= OP_GET64)) return CODE_LOAD;
  if ((op >= OP_STORE8 && op <= OP_STOREN) || (op >= OP_PUT8 && op <= OP_PUT64) || op == OP_RMW ||
      op == OP_CMPXCHG || op == OP_COPY || op == OP_FILL)
    return CODE_STORE;
  if (op == OP_SYNC) return CODE_SYNC_CALL;
  if (op == OP_CALL || op == OP_ICALL || op == OP_HOST) return CODE_CALL;
  return op == OP_RET ? CODE_RETURN : CODE_PLAIN;
}

uint32_t runner_function_of(const Runner *r, uint32_t pc) {
  const Bytecode *c = runner_code(r);
  return c->blocks.at[c->block_of.at[pc]].function;
}

LLVMValueRef runner_function(const Runner *r, uint32_t function) {
  return runner_code(r)->functions.at[function].value;
}

bool runner_model(const Runner *r, uint32_t function) {
  return runner_code(r)->functions.at[function].model;
}

const char *runner_global(const Runner *r, uint64_t address, bool *constant) {
  const Bytecode *c = runner_code(r);
  const MemoryObject *o = memory_object(&c->start, address);
  if (!o || o->kind != MEMORY_GLOBAL) return NULL;
  *constant = *memory_flags(&c->start, address) & MEMORY_CONSTANT;
  return bytecode_global_name(c, o->at);
}

struct AccessWalk {
  const Bytecode *c;
  const Instances *x;
  const RunTrace *t;
  size_t step, address, effect;
  uint32_t pc;
  bool inside, faulted;
  TraceAccess waiting[2];  // the rest of an instance
  unsigned count;
  size_t given;  // effects of this step that have been given, from the last
};

AccessWalk *access_walk_new(const Runner *r, const Instances *x) {
  AccessWalk *w = mem_alloc(sizeof *w);
  w->c = runner_code(r), w->x = x, w->t = x->t;
  w->step = x->t->steps.len, w->address = x->t->addresses.len, w->effect = x->t->effects.len;
  return w;
}

void access_walk_free(AccessWalk *w) {
  mem_free(w);
}

static uint64_t next_address(AccessWalk *w) {
  assert(w->address);
  return w->t->addresses.at[--w->address];
}

static bool is_atomic(const AccessWalk *w, uint32_t pc) {
  LLVMValueRef v = w->c->origins.at[pc];
  if (!v) return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  return op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMFence ||
         ((op == LLVMLoad || op == LLVMStore) && LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic);
}

static void offer(AccessWalk *w, TraceAccess a, uint64_t address, uint64_t size, bool writes) {
  assert(w->count < 2);
  if (!size) return;
  a.address = address, a.size = size, a.writes = writes;
  w->waiting[w->count++] = a;
}

static bool is_volatile(const AccessWalk *w, uint32_t pc) {
  LLVMValueRef v = w->c->origins.at[pc];
  return v && (LLVMIsALoadInst(v) || LLVMIsAStoreInst(v)) && LLVMGetVolatile(v);
}

// Those of one instruction; the last one is given first.
static void accesses_of(AccessWalk *w, const Inst *i, TraceAccess a) {
  Op op = (Op)i->op;
  uint32_t frame = a.frame;
  if (op >= OP_LOAD8 && op <= OP_LOADN) {
    offer(w, a, next_address(w), i->bytes, false);
  } else if (op >= OP_STORE8 && op <= OP_STOREN) {
    offer(w, a, next_address(w), i->bytes, true);
  } else if (op >= OP_GET8 && op <= OP_PUT64) {
    a.own = true;
    offer(w, a, w->t->frames.at[frame].memory + i->imm, i->bytes, op >= OP_PUT8);
  } else if (op == OP_RMW || op == OP_CMPXCHG) {
    uint64_t word = next_address(w);
    offer(w, a, word >> 1, i->bytes, false);
    if (word & 1) offer(w, a, word >> 1, i->bytes, true);
  } else if (op == OP_COPY) {
    uint64_t size = next_address(w), from = next_address(w), to = next_address(w);
    offer(w, a, from, size, false);
    offer(w, a, to, size, true);
  } else if (op == OP_FILL || op == OP_BEGIN || op == OP_ALLOCA) {
    uint64_t size = next_address(w);
    a.begins = op != OP_FILL;
    offer(w, a, next_address(w), size, true);
  }
}

static bool take_effect(AccessWalk *w, TraceAccess *out) {
  while (w->effect && w->t->effects.at[w->effect - 1].step >= w->step) {
    const TraceEffect *e = &w->t->effects.at[--w->effect];
    if (e->pc != TRACE_NONE && e->pc & TRACE_ARGUMENT) continue;
    uint32_t pc = e->pc == TRACE_NONE ? instances_end(w->x, (uint32_t)w->step) - 1 : e->pc;
    uint32_t frame = instances_frame(w->x, (uint32_t)w->step);
    *out = (TraceAccess){.at = {(uint32_t)w->step, pc},
                         .frame = frame,
                         .thread = w->t->frames.at[frame].thread,
                         .address = e->address,
                         .size = e->size,
                         .writes = e->writes};
    return true;
  }
  return false;
}

bool access_walk_next(AccessWalk *w, TraceAccess *out) {
  for (;;) {
    if (w->count) return *out = w->waiting[--w->count], true;
    if (!w->inside) {
      if (!w->step) return false;
      --w->step, w->inside = true;
      w->pc = instances_end(w->x, (uint32_t)w->step);
    }
    if (take_effect(w, out)) return true;
    uint32_t frame = instances_frame(w->x, (uint32_t)w->step);
    if (w->pc == w->t->steps.at[w->step].pc) {
      w->inside = false;
      continue;
    }
    uint32_t pc = --w->pc;
    bool fault = !w->faulted && frame == w->t->fault_frame && pc + 1 == w->t->frames.at[frame].stopped;
    if (fault) {
      w->faulted = true;  // it touched nothing
      continue;
    }
    TraceAccess a = {.at = {(uint32_t)w->step, pc}, .frame = frame, .thread = w->t->frames.at[frame].thread};
    accesses_of(w, &w->c->insts.at[pc], a);
    for (unsigned n = 0; n < w->count; ++n)
      w->waiting[n].atomic = is_atomic(w, pc), w->waiting[n].is_volatile = is_volatile(w, pc);
  }
}

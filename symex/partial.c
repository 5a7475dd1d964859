// A shadow of the run: slots for each frame, and memory at the same addresses. In front of each instruction
// of the run the shadow does the same one, if it is in the part, by the same code; else its result becomes
// the pattern. Behind it the two are compared. Branches go where the run goes.
#include "partial.h"
#include <assert.h>
#include <stdlib.h>
#include "machine.h"
#include "operands.h"

enum { PATTERN = 0xA5 };

typedef struct {
  uint64_t *slots;  // NULL: not there, or left
  uint32_t function;
  const Call *behind;  // that it waits for, or has come back from; NULL
} ShadowFrame;

typedef struct Partial {
  PartialCheck *c;
  const Bytecode *code;
  const RunTrace *trace;  // of this run
  Vec(ShadowFrame) frames;
  uint64_t *unwritten;  // sorted
  size_t objects;       // of the run that have been seen
  Machine machine;      // with the shadow's memory
  Thread thread;
  RunResult result;
  // The instruction that the run is doing.
  struct {
    bool there, kept, by_data, compares;
    Thread *thread;
    uint32_t frame, pc;
    RunInstance at;
    size_t effect;
    uint64_t address;  // of a store that is compared; 0: none
  } last;
} Partial;

static bool bit(const uint64_t *bits, uint32_t n) {
  return bits[n / 64] >> (n % 64) & 1;
}

static void differ(Partial *p, RunInstance at, const char *what) {
  if (p->c->differs) return;
  p->c->differs = true, p->c->at = at, p->c->what = what;
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

struct Partial *partial_new(const Machine *m, PartialCheck *c) {
  Partial *p = mem_alloc(sizeof *p);
  p->c = c, p->code = m->code, p->trace = m->trace;
  p->machine = *m;
  p->machine.memory = (Memory){0};
  p->machine.trace = NULL, p->machine.watch = NULL, p->machine.partial = NULL;
  p->machine.result = &p->result;
  p->machine.limit = UINT64_MAX;
  p->thread.returning = p->thread.jumping = p->thread.exit_site = SITE_NONE;
  p->thread.unwind_to = CODE_NONE;
  Memory *own = &p->machine.memory;
  if (!memory_init(own)) return partial_free(p), NULL;
  uint64_t used = c->memory < own->limit ? c->memory : own->limit;
  memset(own->bytes, PATTERN, used);
  memset(own->flags, MEMORY_EXISTS | MEMORY_WRITTEN, used);
  memcpy(own->bytes, m->code->start.bytes, m->code->start.used);
  p->unwritten = mem_array(c->unwritten_count + 1, sizeof *p->unwritten);
  if (c->unwritten_count) {
    memcpy(p->unwritten, c->unwritten, c->unwritten_count * sizeof *p->unwritten);
    qsort(p->unwritten, c->unwritten_count, sizeof *p->unwritten, by_number);
  }
  for (size_t i = 0; i < c->unwritten_count; ++i)
    if (memory_inside(own, p->unwritten[i], 1) && p->unwritten[i] - MEMORY_BASE >= m->code->start.used)
      *memory_bytes(own, p->unwritten[i]) = 0;
  return p;
}

void partial_free(struct Partial *p) {
  if (!p) return;
  for (vec_each(i, &p->frames)) mem_free(p->frames.at[i].slots);
  vec_free(&p->frames), vec_free(&p->thread.frames);
  memory_free(&p->machine.memory);
  run_result_free(&p->result);
  mem_free(p->unwritten);
  mem_free(p);
}

static void poison(Partial *p, uint64_t at, uint64_t size) {
  if (memory_inside(&p->machine.memory, at, size))
    memset(memory_bytes(&p->machine.memory, at), PATTERN, size);
}
static void take_over(Partial *p, const Machine *m, uint64_t at, uint64_t size) {
  if (memory_inside(&p->machine.memory, at, size) && memory_inside(&m->memory, at, size))
    memcpy(memory_bytes(&p->machine.memory, at), memory_bytes(&m->memory, at), size);
}
static bool is_same(const Partial *p, const Machine *m, uint64_t at, uint64_t size) {
  return !memory_inside(&p->machine.memory, at, size) || !memory_inside(&m->memory, at, size) ||
         !memcmp(memory_bytes(&p->machine.memory, at), memory_bytes(&m->memory, at), size);
}

static void poison_slots(uint64_t *slots, SlotRange r) {
  memset(slots + r.first, PATTERN, r.count * sizeof *slots);
}

static uint64_t *real_slots(const Thread *t, uint32_t frame) {
  for (size_t i = t->frames.len; i-- > 0;)
    if (t->frames.at[i].trace == frame) return t->slots.at + t->frames.at[i].first;
  return NULL;
}

// --- frames

// Of what a call passed; the address of a copy that the callee got is the run's.
static void pass_arguments(const Partial *p, const Call *call, const uint64_t *from, const uint64_t *real,
                           uint64_t *to, uint32_t params) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < call->arg_count; ++i) {
    const Pass *a = &p->code->passes.at[call->args + i];
    for (uint32_t n = 0; n < a->count && at < params; ++n, ++at)
      to[at] = a->size ? real[at] : from[a->slot + n];
  }
  while (at < params) to[at] = real[at], ++at;
}

// Bytes that nothing writes have what stood there.
static void keep_unwritten(Partial *p, const Machine *m, uint64_t at, uint64_t size) {
  size_t low = 0, high = p->c->unwritten_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (p->unwritten[middle] < at)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < p->c->unwritten_count && p->unwritten[low] < at + size; ++low)
    take_over(p, m, p->unwritten[low], 1);
}

static ShadowFrame *frame_for(Partial *p, const Machine *m, const Thread *t) {
  const Frame *real = frame_of((Thread *)(uintptr_t)t);
  while (p->frames.len <= real->trace) vec_push(&p->frames, (ShadowFrame){0});
  ShadowFrame *f = &p->frames.at[real->trace];
  if (f->slots) return f;
  const Function *g = &p->code->functions.at[real->function];
  const TraceFrame *x = &p->trace->frames.at[real->trace];
  const uint64_t *slots = t->slots.at + real->first;
  f->function = real->function;
  f->slots = mem_array(g->slots + 1, sizeof *f->slots);
  memset(f->slots, PATTERN, g->slots * sizeof *f->slots);
  memcpy(f->slots + g->slots - g->constant_count, p->code->pool.at + g->constants,
         g->constant_count * sizeof *f->slots);
  ShadowFrame *caller = x->caller == TRACE_NONE || x->given ? NULL : &p->frames.at[x->caller];
  if (caller && caller->slots && caller->behind)
    pass_arguments(p, caller->behind, caller->slots, slots, f->slots, g->params);
  else
    memcpy(f->slots, slots, g->params * sizeof *f->slots);
  poison(p, real->memory, g->frame);
  keep_unwritten(p, m, real->memory, g->frame);
  return f;
}

// The shadow's thread stands in a frame of it.
static void put_shadow(Partial *p, const Thread *t, ShadowFrame *f, uint32_t pc) {
  Frame one = *frame_of((Thread *)(uintptr_t)t);
  one.first = 0, one.trace = 0;
  p->thread.frames.len = 0;
  vec_push(&p->thread.frames, one);
  p->thread.slots.at = f->slots;
  p->thread.slots.len = p->code->functions.at[f->function].slots;
  p->thread.pc = pc;
  p->thread.thread_locals = t->thread_locals, p->thread.stack_end = t->stack_end;
  p->thread.exception = t->exception;
  p->machine.over = false;
}

static void go_edge(Partial *p, const Thread *t, ShadowFrame *f, uint32_t edge) {
  if (!p->code->edges.at[edge].count) return;
  put_shadow(p, t, f, 0);
  take_edge(&p->machine, &p->thread, edge);
}

// Behind a call: the values of the edge that it came back by.
static void arrive(Partial *p, const Thread *t, ShadowFrame *f, uint32_t pc) {
  const Call *call = f->behind;
  f->behind = NULL;
  if (!call) return;
  const uint32_t edges[] = {call->normal, call->unwind};
  for (int n = 0; n < 2; ++n)
    if (edges[n] != CODE_NONE && p->code->edges.at[edges[n]].pc == pc) {
      go_edge(p, t, f, edges[n]);
      return;
    }
}

// --- one instruction

static void execute(Partial *p, Machine *m, const Thread *t, ShadowFrame *f, uint32_t pc) {
  put_shadow(p, t, f, pc);
  p->machine.pause = 2, p->machine.began = m->began;
  machine_step_alone(&p->machine, &p->thread);
  if (!p->machine.over) return;
  run_result_free(&p->result);
  differ(p, p->last.at, "it cannot be executed");
}

static bool is_call_like(Op op) {
  return op == OP_CALL || op == OP_ICALL || op == OP_SYNC || op == OP_HOST || op == OP_SETJMP;
}

// What is taken over from the run. A landing pad is where the unwinding of the run has come to.
static bool has_effects(Op op) {
  return is_call_like(op) || op == OP_LANDINGPAD || op == OP_VASTART || op == OP_VACOPY || op == OP_LONGJMP;
}

static bool does_nothing(Op op) {
  return op == OP_UNREACHABLE || op == OP_REFUSED || op == OP_ENTERED || op == OP_PAUSE ||
         op == OP_STACKRESTORE || op == OP_RESUME || op == OP_INDIRECTBR;
}

// What an instruction that is not in the part writes. The address is the run's.
static void poison_memory(Partial *p, const Inst *i, const uint64_t *real, uint64_t own) {
  Op op = (Op)i->op;
  if (op >= OP_STORE8 && op <= OP_STOREN)
    poison(p, real[i->a] + i->imm, i->bytes);
  else if (op >= OP_PUT8 && op <= OP_PUT64)
    poison(p, own + i->imm, i->bytes);
  else if (op == OP_COPY || op == OP_FILL)
    poison(p, real[i->a], real[i->c]);
}

static bool addresses_differ(const Inst *i, const uint64_t *real, const uint64_t *shadow) {
  Op op = (Op)i->op;
  bool one = (op >= OP_LOAD8 && op <= OP_STOREN) || op == OP_RMW || op == OP_CMPXCHG || op == OP_COPY ||
             op == OP_FILL || op == OP_BEGIN;
  if (one && real[i->a] != shadow[i->a]) return true;
  return op == OP_COPY && (real[i->b] != shadow[i->b] || real[i->c] != shadow[i->c]);
}

static void do_plain(Partial *p, Machine *m, Thread *t, ShadowFrame *f, const Inst *i, uint32_t pc) {
  const uint64_t *real = slots_of(t);
  uint64_t own = frame_of(t)->memory;
  Op op = (Op)i->op;
  if (!p->last.kept) {
    poison_slots(f->slots, operands_of(p->code, i).gives);
    poison_memory(p, i, real, own);
    return;
  }
  if (addresses_differ(i, real, f->slots)) {
    differ(p, p->last.at, "it goes to another address");
    return;
  }
  if (p->last.at.step == p->c->fault.step && pc == p->c->fault.pc) return;
  if (op >= OP_STORE8 && op <= OP_STOREN) p->last.address = real[i->a] + i->imm;
  if (op >= OP_PUT8 && op <= OP_PUT64) p->last.address = own + i->imm;
  if (op == OP_STACKSAVE) f->slots[i->to] = frame_of(t)->top;
  if (op != OP_STACKSAVE) execute(p, m, t, f, pc);
  p->last.compares = true;
}

static void do_branch(Partial *p, const Thread *t, ShadowFrame *f, const Inst *i) {
  const uint64_t *real = slots_of((Thread *)(uintptr_t)t);
  if (i->op != OP_BR && p->last.kept) {
    ++p->c->branches;
    if (real[i->a] != f->slots[i->a]) differ(p, p->last.at, "it goes another way");
  }
  uint32_t edge = i->op == OP_BR    ? (uint32_t)i->imm
                  : i->op == OP_CBR ? (real[i->a] ? i->to : i->bytes)
                                    : (uint32_t)switch_edge(p->code->pool.at + i->imm, real[i->a]);
  go_edge(p, t, f, edge);
}

static void do_return(Partial *p, const Thread *t, ShadowFrame *f, const Inst *i) {
  const uint64_t *real = slots_of((Thread *)(uintptr_t)t);
  const TraceFrame *x = &p->trace->frames.at[p->last.frame];
  ShadowFrame *caller = x->caller == TRACE_NONE || x->starts ? NULL : &p->frames.at[x->caller];
  if (p->last.by_data && i->bytes) {
    ++p->c->values;
    if (memcmp(real + i->a, f->slots + i->a, i->bytes * sizeof *real) != 0)
      differ(p, p->last.at, "it returns another value");
  }
  if (caller && caller->slots && caller->behind) {
    const Call *call = caller->behind;
    SlotRange to = {call->result, call->result_count};
    uint32_t n = call->result_count < i->bytes ? call->result_count : i->bytes;
    poison_slots(caller->slots, to);
    if (p->last.kept && n) memcpy(caller->slots + call->result, f->slots + i->a, n * sizeof *real);
  }
  mem_free(f->slots);
  f->slots = NULL;
}

// Where its address is that of a function called through a pointer.
static void do_call_like(Partial *p, const Thread *t, ShadowFrame *f, const Inst *i) {
  const uint64_t *real = slots_of((Thread *)(uintptr_t)t);
  const Call *call = &p->code->calls.at[i->imm];
  f->behind = call;
  bool outside = i->op == OP_SYNC || i->op == OP_HOST;
  for (uint32_t n = 0; outside && p->last.by_data && n < call->arg_count; ++n) {
    const Pass *a = &p->code->passes.at[call->args + n];
    ++p->c->values;
    if (memcmp(real + a->slot, f->slots + a->slot, a->count * sizeof *real) != 0)
      differ(p, p->last.at, "it is called with another argument");
  }
}

// --- behind it

static bool argument_is_right(const Partial *p, const Call *call, uint32_t arg) {
  const uint64_t *real = real_slots(p->last.thread, p->last.frame),
                 *shadow = p->frames.at[p->last.frame].slots;
  const Pass *a = &p->code->passes.at[call->args + arg];
  return real && shadow && !memcmp(real + a->slot, shadow + a->slot, a->count * sizeof *real);
}

static void finish_effects(Partial *p, const Machine *m, const Inst *i) {
  for (size_t n = p->last.effect; n < p->trace->effects.len; ++n) {
    const TraceEffect *e = &p->trace->effects.at[n];
    bool argument = e->pc != TRACE_NONE && e->pc & TRACE_ARGUMENT;
    bool right = argument ? argument_is_right(p, &p->code->calls.at[i->imm], e->pc & ~TRACE_ARGUMENT)
                          : p->last.by_data;
    if (!e->writes) continue;
    if (right)
      take_over(p, m, e->address, e->size);
    else
      poison(p, e->address, e->size);
  }
}

static void finish_call(Partial *p, const Machine *m, const Inst *i) {
  bool outside = i->op == OP_SYNC || i->op == OP_HOST || i->op == OP_SETJMP || i->op == OP_LANDINGPAD;
  ShadowFrame *f = &p->frames.at[p->last.frame];
  const uint64_t *real = real_slots(p->last.thread, p->last.frame);
  finish_effects(p, m, i);
  if (!outside || !f->slots || !real) return;
  SlotRange r = operands_of(p->code, i).gives;
  if (p->last.kept)
    memcpy(f->slots + r.first, real + r.first, r.count * sizeof *real);
  else
    poison_slots(f->slots, r);
}

// One that did not write must not spoil what stands there.
static void finish_exchange(Partial *p, const Inst *i) {
  uint64_t word = p->trace->addresses.len ? vec_last(&p->trace->addresses) : 0;
  if (!p->last.kept && word & 1) poison(p, word >> 1, i->bytes);
}

static void finish_plain(Partial *p, const Machine *m, const Inst *i) {
  ShadowFrame *f = &p->frames.at[p->last.frame];
  const uint64_t *real = real_slots(p->last.thread, p->last.frame);
  SlotRange r = operands_of(p->code, i).gives;
  if (!real || !f->slots) return;
  p->c->values += r.count > 0 || p->last.address;
  if (r.count && memcmp(real + r.first, f->slots + r.first, r.count * sizeof *real) != 0)
    differ(p, p->last.at, "it gives another value");
  if (p->last.address && !is_same(p, m, p->last.address, i->bytes))
    differ(p, p->last.at, "it stores another value");
}

static void finish(Partial *p, const Machine *m) {
  if (!p->last.there) return;
  p->last.there = false;
  const Inst *i = &p->code->insts.at[p->last.pc];
  if (has_effects((Op)i->op))
    finish_call(p, m, i);
  else if (p->last.compares)
    finish_plain(p, m, i);
  if (i->op == OP_RMW || i->op == OP_CMPXCHG) finish_exchange(p, i);
}

// Inputs and variables of threads come into being with their values.
static void see_objects(Partial *p, const Machine *m) {
  for (; p->objects < m->memory.objects.len; ++p->objects) {
    const MemoryObject *o = &m->memory.objects.at[p->objects];
    if (o->kind == MEMORY_INPUT || o->kind == MEMORY_THREAD_LOCAL) take_over(p, m, o->at, o->size);
  }
}

void partial_step(Machine *m, Thread *t, uint32_t pc) {
  Partial *p = m->partial;
  finish(p, m);
  if (p->c->differs) return;
  see_objects(p, m);
  uint32_t step = (uint32_t)p->trace->steps.len - 1;
  // Where it waits for its turn it has not come to it yet.
  if (pc >= instances_end(p->c->all, step)) return;
  RunInstance at = {step, pc};
  uint32_t number = instances_number(p->c->all, at);
  ShadowFrame *f = frame_for(p, m, t);
  arrive(p, t, f, pc);
  const Inst *i = &p->code->insts.at[pc];
  Op op = (Op)i->op;
  p->last.there = true, p->last.kept = bit(p->c->kept, number), p->last.by_data = bit(p->c->by_data, number);
  p->last.compares = false, p->last.thread = t, p->last.frame = frame_of(t)->trace, p->last.pc = pc;
  p->last.at = at, p->last.effect = p->trace->effects.len, p->last.address = 0;
  if (op == OP_BR || op == OP_CBR || op == OP_SWITCH)
    do_branch(p, t, f, i);
  else if (op == OP_RET)
    do_return(p, t, f, i);
  else if (is_call_like(op))
    do_call_like(p, t, f, i);
  else if (!has_effects(op) && !does_nothing(op))
    do_plain(p, m, t, f, i, pc);
}

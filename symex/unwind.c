// Control that leaves several frames at once: exceptions, as the C++ ABI has them on top of
// models/exceptions.c, the end of a thread that unwinds its stack, and longjmp.
#include <assert.h>
#include "machine.h"

enum { HEADER = 64, ADJUSTED = 16 };  // of an exception, in models/exceptions.c

static bool word_at(const Machine *m, uint64_t at, uint64_t *out) {
  if (!memory_readable(&m->memory, at, 8)) return false;
  return memcpy(out, memory_bytes(&m->memory, at), 8), true;
}

// Whether a thrown type is, or is derived from, the caught one; adds the offset of the base.
static bool is_a(const Machine *m, uint64_t thrown, uint64_t caught, int64_t *offset, unsigned depth) {
  enum { BASES = 24, DEEPEST = 64 };
  uint64_t kind, base, count, flags;
  if (thrown == caught) return true;
  if (!depth || !word_at(m, thrown, &kind)) return false;
  if (kind == m->class_info[1] + 16)
    return word_at(m, thrown + 16, &base) && is_a(m, base, caught, offset, depth - 1);
  if (kind != m->class_info[2] + 16 || !word_at(m, thrown + 16, &count)) return false;
  count >>= 32;  // behind the flags of the hierarchy
  for (uint64_t i = 0; i < count && i < DEEPEST; ++i) {
    if (!word_at(m, thrown + BASES + i * 16, &base) || !word_at(m, thrown + BASES + i * 16 + 8, &flags))
      return false;
    int64_t here = *offset + ((flags & 1) ? 0 : (int64_t)flags >> 8);
    if (is_a(m, base, caught, &here, depth - 1)) return *offset = here, true;
  }
  return false;
}

static LLVMValueRef pad_of(const Machine *m, const Call *call) {
  const Block *b = &m->code->blocks.at[m->code->edges.at[call->unwind].block];
  for (all_insts(i, b->block))
    if (LLVMIsALandingPadInst(i)) return i;
  return NULL;
}

static uint64_t typeinfo_of(const Machine *m, LLVMValueRef clause) {
  uint64_t at = 0;
  const char *why;
  if (LLVMGetTypeKind(LLVMTypeOf(clause)) == LLVMPointerTypeKind) constant_words(m->code, clause, &at, &why);
  return at;
}

// A list of types that may pass (throw specifications); what is not in it is caught there.
static bool filtered(const Machine *m, LLVMValueRef list, uint64_t thrown) {
  uint64_t n = LLVMGetArrayLength2(LLVMTypeOf(list));
  for (uint64_t i = 0; i < n; ++i) {
    int64_t offset = 0;
    LLVMValueRef one = LLVMGetAggregateElement(list, (unsigned)i);
    if (one && is_a(m, thrown, typeinfo_of(m, one), &offset, 64)) return false;
  }
  return true;
}

typedef struct {
  bool lands, handles;
  uint64_t selector;
  int64_t offset;
} Landing;

static Landing landing(const Machine *m, const Thread *t, LLVMValueRef pad) {
  Landing l = {.lands = LLVMIsCleanup(pad)};
  uint64_t thrown = 0;
  if (!t->forced) word_at(m, t->exception, &thrown);
  for (unsigned i = 0; i < LLVMGetNumClauses(pad); ++i) {
    LLVMValueRef clause = LLVMGetClause(pad, i);
    bool list = LLVMGetTypeKind(LLVMTypeOf(clause)) == LLVMArrayTypeKind;
    uint64_t type = list ? 0 : typeinfo_of(m, clause);
    int64_t offset = 0;
    bool all = !list && !type;
    if (t->forced ? !all : list ? !filtered(m, clause, thrown) : !all && !is_a(m, thrown, type, &offset, 64))
      continue;
    l.lands = l.handles = true;
    l.selector = list ? (uint32_t)-1 : all ? 1 : type & INT32_MAX;
    l.offset = offset;
    return l;
  }
  return l;
}

static const Call *call_at(const Machine *m, uint32_t pc) {
  const Inst *i = &m->code->insts.at[pc];
  bool is = i->op == OP_CALL || i->op == OP_ICALL || i->op == OP_SYNC || i->op == OP_HOST;
  return is ? &m->code->calls.at[i->imm] : NULL;
}

static bool handled(const Machine *m, const Thread *t) {
  for (size_t i = t->frames.len; i-- > 1;) {
    const Call *call = call_at(m, t->frames.at[i].call);
    LLVMValueRef pad = call && call->unwind != CODE_NONE ? pad_of(m, call) : NULL;
    if (pad && landing(m, t, pad).handles) return true;
  }
  return false;
}

bool unwind_on(Machine *m, Thread *t) {
  while (t->frames.len > 1) {
    frame_pop(m, t);
    const Call *call = call_at(m, t->pc);
    LLVMValueRef pad = call && call->unwind != CODE_NONE ? pad_of(m, call) : NULL;
    if (!pad || !landing(m, t, pad).lands) continue;
    frame_of(t)->called = frame_of(t)->once = false;
    t->unwind_to = frame_of(t)->opened;
    t->returning = SITE_NONE;
    take_edge(m, t, call->unwind);
    return follow_pending(m, t);
  }
  if (!t->forced) return machine_die(m, t, 6, "an exception that nothing catches"), false;
  uint32_t end = bytecode_function(m->code, "specialize_thread_end");
  return frame_push(m, t, end, NULL, &t->result, 1);
}

bool unwind_throw(Machine *m, Thread *t, uint64_t exception) {
  t->exception = exception;
  t->forced = false;
  if (!handled(m, t)) return machine_die(m, t, 6, "an exception that nothing catches"), false;
  return unwind_on(m, t);
}

bool unwind_force(Machine *m, Thread *t) {
  t->forced = true;
  t->exception = 0;
  return unwind_on(m, t);
}

// What a handler gets: the exception, and by which type it is caught. Its address as that type stands in its
// header.
void unwind_pad(Machine *m, Thread *t, const Inst *i) {
  uint64_t *v = slots_of(t);
  Landing l = landing(m, t, bytecode_origin(m->code, t->pc));
  if (!t->forced && memory_writable(&m->memory, t->exception, HEADER)) {
    uint64_t adjusted = t->exception + HEADER + (uint64_t)l.offset, type = 0, kind = 0;
    word_at(m, t->exception, &type);
    if (word_at(m, type, &kind) && kind == m->class_info[0] + 16)
      word_at(m, adjusted, &adjusted);  // by value
    memcpy(memory_bytes(&m->memory, t->exception + ADJUSTED), &adjusted, sizeof adjusted);
  }
  v[i->to] = t->exception;
  v[i->to + 1] = l.selector & UINT32_MAX;
}

bool jump_save(Machine *m, Thread *t, const Inst *i) {
  const Call *call = &m->code->calls.at[i->imm];
  uint64_t number = m->jumps.len + 1;
  Jump j = {frame_of(t)->id, (uint32_t)t->frames.len, t->pc};
  if (!machine_store(m, t, slots_of(t)[i->a], &number, sizeof number)) return false;
  vec_push(&m->jumps, j);
  call_done(m, t, call, 0);
  return true;
}

bool jump_back(Machine *m, Thread *t, uint64_t buffer, uint64_t value) {
  uint64_t number = 0;
  if (!machine_load(m, t, buffer, &number, sizeof number)) return false;
  const Jump *j = number && number <= m->jumps.len ? &m->jumps.at[number - 1] : NULL;
  if (!j || j->depth > t->frames.len || t->frames.at[j->depth - 1].id != j->frame)
    return machine_die(m, t, 11, "longjmp to a function that has returned"), false;
  while (t->frames.len > j->depth) frame_pop(m, t);
  t->pc = j->pc;
  frame_of(t)->called = frame_of(t)->once = false;
  t->unwind_to = frame_of(t)->opened;
  t->returning = SITE_NONE;
  const Call *call = &m->code->calls.at[m->code->insts.at[t->pc].imm];
  t->jumping = call->site;
  value &= UINT32_MAX;
  call_done(m, t, call, value ? value : 1);
  return follow_pending(m, t);
}

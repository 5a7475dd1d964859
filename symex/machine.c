// What all parts of the interpreter need: checked memory, and the ways in which a run ends.
#include "machine.h"
#include <assert.h>

uint32_t machine_site(const Machine *m, const Thread *t) {
  for (size_t i = t->frames.len; i-- > 0;) {
    if (m->code->functions.at[t->frames.at[i].function].model) continue;
    uint32_t pc = i + 1 < t->frames.len ? t->frames.at[i + 1].call : t->pc;
    return sites_id(m->code->sites, bytecode_origin(m->code, pc));
  }
  return SITE_NONE;
}

// The innermost instruction of the program itself, not of a model.
static LLVMValueRef program_inst(const Machine *m, const Thread *t) {
  for (size_t i = t->frames.len; i-- > 0;) {
    if (m->code->functions.at[t->frames.at[i].function].model) continue;
    uint32_t pc = i + 1 < t->frames.len ? t->frames.at[i + 1].call : t->pc;
    return pc == CODE_NONE ? NULL : bytecode_origin(m->code, pc);
  }
  return NULL;
}

static void stop_at(Machine *m, const Thread *t, RunEnd how, char *why) {
  if (m->over) {
    mem_free(why);
    return;
  }
  RunResult *r = m->result;
  LLVMValueRef inst = t ? program_inst(m, t) : NULL;
  Place p = inst ? where(inst) : (Place){0};
  m->over = true;
  r->end = how, r->why = why;
  r->thread = t ? t->id : 0;
  if (p.file) r->file = mem_string(p.file), r->line = p.line, r->column = p.column;
}

void machine_stop(Machine *m, const Thread *t, RunEnd how, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  stop_at(m, t, how, mem_vformat(fmt, args));
  va_end(args);
}

void machine_die(Machine *m, const Thread *t, int signal, const char *why) {
  if (m->over) return;
  m->result->signal = signal;
  if (m->trace && t && t->frames.len) m->trace->fault_frame = vec_last(&t->frames).trace;
  stop_at(m, t, RUN_DIED, mem_string(why));
}

void machine_fault(Machine *m, Thread *t, uint64_t address, const char *what) {
  char *why = NULL;
  if (!m->over) m->result->fault = address;
  if (address < 4096)
    why = mem_format("cannot %s a null pointer", what);
  else if (!strcmp(what, "call"))
    why = mem_format("cannot call what is no function");
  else
    why = mem_format("cannot %s memory of no object, or constant", what);
  machine_die(m, t, 11, why);
  mem_free(why);
}

void machine_reads(Machine *m, uint64_t at, uint64_t size) {
  if (m->trace && size) run_trace_effect(m->trace, TRACE_NONE, at, size, false);
}
void machine_writes(Machine *m, uint64_t at, uint64_t size) {
  if (m->trace && size) run_trace_effect(m->trace, TRACE_NONE, at, size, true);
}

static void note_effect(Machine *m, const Thread *t, uint64_t at, uint64_t size, bool writes) {
  Op op = (Op)m->code->insts.at[t->pc].op;
  bool logged = op == OP_LOADN || op == OP_STOREN || op == OP_RMW || op == OP_CMPXCHG;
  if (m->trace && size && !logged) run_trace_effect(m->trace, t->pc, at, size, writes);
}

bool machine_store(Machine *m, Thread *t, uint64_t at, const void *from, uint64_t size) {
  if (!size) return true;
  if (!memory_writable(&m->memory, at, size)) return machine_fault(m, t, at, "write to"), false;
  memcpy(memory_bytes(&m->memory, at), from, size);
  memory_flag(&m->memory, at, size, MEMORY_EXISTS | MEMORY_WRITTEN);
  note_effect(m, t, at, size, true);
  return true;
}

bool machine_load(Machine *m, Thread *t, uint64_t at, void *to, uint64_t size) {
  if (!size) return true;
  if (!memory_readable(&m->memory, at, size)) return machine_fault(m, t, at, "read from"), false;
  memcpy(to, memory_bytes(&m->memory, at), size);
  note_effect(m, t, at, size, false);
  return true;
}

void machine_set_errno(Machine *m, Thread *t, int error) {
  uint32_t value = (uint32_t)error;
  machine_store(m, t, t->thread_locals + m->errno_at, &value, sizeof value);
}

uint64_t machine_word(const Machine *m, Thread *t, const Call *call, uint32_t arg) {
  assert(arg < call->arg_count);
  return slots_of(t)[m->code->passes.at[call->args + arg].slot];
}

// Frames of calls: their slots, their variables in the stack of the thread, and arguments without a name,
// which the machine's calling convention puts into a list that va_arg reads.
#include <assert.h>
#include "machine.h"

enum {
  STACK = 8 << 20,
  SAVED_INTS = 6,
  SAVED_FLOATS = 8,
  SAVED = SAVED_INTS * 8 + SAVED_FLOATS * 16,
  LIST = 24
};

Frame *frame_of(Thread *t) {
  return &vec_last(&t->frames);
}
uint64_t *slots_of(Thread *t) {
  return t->slots.at + vec_last(&t->frames).first;
}

uint64_t frame_alloca(Machine *m, Thread *t, uint64_t size, uint64_t align) {
  Frame *f = frame_of(t);
  if (align < 16 || align & (align - 1)) align = 16;
  uint64_t at = (f->top + align - 1) & ~(align - 1);
  if (size > STACK || at + size > t->stack_end) return machine_die(m, t, 11, "the stack is full"), 0;
  f->top = at + size + 16;
  if (f->top > t->stack_end) f->top = t->stack_end;
  memory_flag(&m->memory, at, size, MEMORY_EXISTS);
  return at;
}

static uint64_t pass_bytes(const Pass *p) {
  if (p->size) return (p->size + 7) & ~UINT64_C(7);
  if (p->kind == PASS_LONG_DOUBLE || p->kind == PASS_WIDE || p->kind == PASS_VECTOR) return 16;
  return p->kind == PASS_MEMORY ? (p->row->size + 7) & ~UINT64_C(7) : 8;
}

static void put_row(unsigned char *to, const Pass *p, const uint64_t *words) {
  for (uint32_t i = 0; i < p->row->len; ++i)
    memcpy(to + p->row->at[i].offset, words + p->row->at[i].slot, p->row->at[i].bytes);
}

typedef struct {
  unsigned char *area, *over;
  unsigned ints, floats;
  unsigned char *last;  // where the last argument went
} Saved;

// One that is too wide for the registers that are left takes none, and none is used behind it.
static void save_argument(Saved *s, const Pass *p, const uint64_t *words) {
  unsigned registers = p->kind == PASS_WIDE ? 2 : 1;
  bool whole = p->kind == PASS_INT || p->kind == PASS_WIDE;
  bool real = p->kind == PASS_FLOAT || p->kind == PASS_DOUBLE || p->kind == PASS_VECTOR;
  if (whole && s->ints + registers <= SAVED_INTS) {
    s->last = s->area + (size_t)8 * s->ints;
    memcpy(s->last, words, (size_t)8 * registers);
    s->ints += registers;
  } else if (real && s->floats < SAVED_FLOATS) {
    s->last = s->area + SAVED_INTS * 8 + (size_t)16 * s->floats++;
    put_row(s->last, p, words);
  } else {
    if (p->kind == PASS_WIDE) s->ints = SAVED_INTS;
    if (pass_bytes(p) == 16) s->over = s->area + (((uint64_t)(s->over - s->area) + 15) & ~UINT64_C(15));
    s->last = s->over;
    put_row(s->over, p, words);
    s->over += pass_bytes(p);
  }
}

// A register area as the prologue of a variadic function saves it, and behind it what went over the stack.
static bool save_arguments(Machine *m, Thread *t, const Call *call, const uint64_t *slots) {
  const Pass *passes = m->code->passes.at + call->args;
  uint64_t size = SAVED;
  for (uint32_t i = 0; i < call->arg_count; ++i) size += pass_bytes(&passes[i]) + 16;
  uint64_t at = frame_alloca(m, t, size, 16);
  if (!at) return false;
  frame_of(t)->arguments = at;
  unsigned char *area = memory_bytes(&m->memory, at);
  memset(area, 0, size);
  Saved s = {area, area + SAVED, 0, 0, area};
  for (uint32_t i = 0; i < call->arg_count; ++i) {
    if (passes[i].size) {
      if (!machine_load(m, t, slots[passes[i].slot], s.over, passes[i].size)) return false;
      machine_writes(m, at + (uint64_t)(s.over - area), passes[i].size);
      s.over += pass_bytes(&passes[i]);
      continue;
    }
    save_argument(&s, &passes[i], slots + passes[i].slot);
    uint64_t to = at + (uint64_t)(s.last - area);
    if (m->trace) run_trace_effect(m->trace, TRACE_ARGUMENT | i, to, pass_bytes(&passes[i]), true);
  }
  memory_flag(&m->memory, at, size, MEMORY_EXISTS | MEMORY_WRITTEN);
  return true;
}

// va_list of x86-64: where the next integer and the next float stand in the area, what went over the stack,
// the area.
bool frame_arguments(Machine *m, Thread *t, uint64_t list) {
  const Frame *f = frame_of(t);
  const Function *g = &m->code->functions.at[f->function];
  if (!f->arguments) return machine_stop(m, t, RUN_REFUSED, "va_start without variable arguments"), false;
  uint32_t ints = g->named_ints < SAVED_INTS ? g->named_ints : SAVED_INTS;
  uint32_t floats = g->named_floats < SAVED_FLOATS ? g->named_floats : SAVED_FLOATS;
  uint64_t over = g->named_bytes;
  over += (uint64_t)8 * (g->named_ints - ints) + (uint64_t)8 * (g->named_floats - floats);
  struct {
    uint32_t ints, floats;
    uint64_t over, area;
  } words = {8 * ints, SAVED_INTS * 8 + 16 * floats, f->arguments + SAVED + over, f->arguments};
  static_assert(sizeof words == LIST, "va_list");
  return machine_store(m, t, list, &words, sizeof words);
}

bool frame_copy_list(Machine *m, Thread *t, uint64_t to, uint64_t from) {
  unsigned char words[LIST];
  return machine_load(m, t, from, words, LIST) && machine_store(m, t, to, words, LIST);
}

// The callee has an aggregate that is passed by value for itself.
static bool copy_by_value(Machine *m, Thread *t, const Call *call, uint64_t *slots) {
  const Pass *passes = m->code->passes.at + call->args;
  uint32_t at = 0;
  for (uint32_t i = 0; i < call->arg_count; at += passes[i++].count) {
    if (!passes[i].size || at >= m->code->functions.at[frame_of(t)->function].params) continue;
    uint64_t copy = frame_alloca(m, t, passes[i].size, 16), from = slots[at];
    if (!copy || !memory_readable(&m->memory, from, passes[i].size))
      return copy ? machine_die(m, t, 11, "an argument is not in memory"), false : false;
    memcpy(memory_bytes(&m->memory, copy), memory_bytes(&m->memory, from), passes[i].size);
    memcpy(memory_flags(&m->memory, copy), memory_flags(&m->memory, from), passes[i].size);
    machine_reads(m, from, passes[i].size);
    machine_writes(m, copy, passes[i].size);
    slots[at] = copy;
  }
  return true;
}

bool frame_push(Machine *m, Thread *t, uint32_t function, const Call *call, const uint64_t *args,
                uint32_t count) {
  const Function *f = &m->code->functions.at[function];
  assert(f->kind == CODE_BODY && f->callee == CODE_NONE);
  const Frame *from = t->frames.len ? frame_of(t) : NULL;
  Frame new = {.function = function, .call = from ? t->pc : CODE_NONE, .id = ++m->frames};
  uint32_t caller = from ? from->first : 0,
           limit = from ? from->first + m->code->functions.at[from->function].slots : 0;
  new.first = limit, new.memory = from ? from->top : t->stack, new.opened = (uint32_t)t->open.len;
  new.top = new.memory + f->frame;
  if (new.top + 4096 > t->stack_end) return machine_die(m, t, 11, "the stack is full"), false;
  t->slots.len = limit;
  vec_reserve(&t->slots, f->slots);
  t->slots.len = limit + f->slots;
  uint64_t *slots = t->slots.at + limit;
  const uint64_t *theirs = t->slots.at + caller;
  uint32_t at = 0;
  if (call) {
    const Pass *passes = m->code->passes.at + call->args;
    for (uint32_t i = 0; i < call->arg_count; ++i)
      for (uint32_t n = 0; n < passes[i].count && at < f->params; ++n)
        slots[at++] = theirs[passes[i].slot + n];
  } else {
    for (; at < count && at < f->params; ++at) slots[at] = args[at];
  }
  while (at < f->params) slots[at++] = 0;
  memcpy(slots + f->slots - f->constant_count, m->code->pool.at + f->constants,
         f->constant_count * sizeof *slots);
  memory_flag(&m->memory, new.memory, f->frame, MEMORY_EXISTS);
  if (m->trace)
    new.trace =
        run_trace_enter(m->trace, t->id, function, from ? from->trace : TRACE_NONE, new.call, new.memory);
  if (m->trace) m->trace->frames.at[new.trace].given = !call;
  vec_push(&t->frames, new);
  if (call && !copy_by_value(m, t, call, slots)) return false;
  if (call && f->variadic && !save_arguments(m, t, call, theirs)) return false;
  take_edge(m, t, f->entry);
  return true;
}

void frame_pop(Machine *m, Thread *t) {
  Frame f = vec_pop(&t->frames);
  memory_flag(&m->memory, f.memory, f.top - f.memory, 0);
  if (f.call != CODE_NONE) t->pc = f.call;
}

Thread *thread_new(Machine *m, uint32_t id, uint32_t function, const uint64_t *args, uint32_t count) {
  Thread *t = mem_alloc(sizeof *t);
  assert(id < m->schedule->threads && !m->threads[id]);
  t->id = id;
  t->routine = CODE_NONE;
  t->returning = t->jumping = t->exit_site = SITE_NONE;
  t->unwind_to = CODE_NONE;
  if (!m->natural) t->events = lists_of(&m->by_thread, id);
  m->threads[id] = t;
  t->stack = memory_reserve(&m->memory, STACK);
  t->stack_end = t->stack + STACK;
  uint64_t size = m->code->thread_local_size;
  t->thread_locals = t->stack ? memory_add(&m->memory, MEMORY_THREAD_LOCAL, size, 64, UINT64_MAX) : 0;
  if (!t->thread_locals) return machine_stop(m, t, RUN_REFUSED, "no memory for another thread"), t;
  globals_fill_thread(m->code, memory_bytes(&m->memory, t->thread_locals));
  memory_flag(&m->memory, t->thread_locals, size, MEMORY_EXISTS | MEMORY_WRITTEN);
  frame_push(m, t, function, NULL, args, count);
  return t;
}

void thread_free(Thread *t) {
  if (!t) return;
  vec_free(&t->frames), vec_free(&t->slots), vec_free(&t->open);
  mem_free(t);
}

void take_edge(Machine *m, Thread *t, uint32_t edge) {
  const Edge *e = &m->code->edges.at[edge];
  uint64_t *slots = slots_of(t), few[64];
  uint64_t *values = e->count <= 64 ? few : mem_array(e->count, sizeof *values);
  const Move *moves = m->code->moves.at + e->first;
  for (uint32_t i = 0; i < e->count; ++i) values[i] = slots[moves[i].from];
  for (uint32_t i = 0; i < e->count; ++i) slots[moves[i].to] = values[i];
  if (values != few) mem_free(values);
  t->pc = e->pc;
  m->fuel -= e->cost;
  if (m->trace) run_trace_step(m->trace, frame_of(t)->trace, e->pc);
}

void call_done(Machine *m, Thread *t, const Call *call, uint64_t result) {
  if (call->result_count) slots_of(t)[call->result] = result & call->result_mask;
  if (call->normal != CODE_NONE) {
    take_edge(m, t, call->normal);
    return;
  }
  ++t->pc;
  if (m->trace) run_trace_step(m->trace, frame_of(t)->trace, t->pc);
}

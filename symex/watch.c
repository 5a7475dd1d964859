// Values of instances that somebody asks for, in a run that is executed once more: a trace has none. The same
// run takes the same steps, so an instance is found by its step and pc.
#include <assert.h>
#include "machine.h"
#include "operands.h"

typedef struct Watch {
  const Bytecode *c;
  Map *index;  // of step and pc: place + 1
  bool *pcs;   // that are watched at all
  RunValue *values;
  // The instruction that was executed last, if it is watched: its result stands in its slots now.
  uint64_t frame;
  uint32_t slot, count;
  RunValue *waiting;  // NULL: none
} Watch;

static uint64_t key_of(uint32_t step, uint32_t pc) {
  return (uint64_t)step << 32 | pc;
}

Watch *watch_new(const Bytecode *c, const RunInstance *at, size_t count, RunValue *values) {
  Watch *w = mem_alloc(sizeof *w);
  w->c = c, w->values = values, w->index = map_new();
  w->pcs = mem_array(c->insts.len + 1, sizeof *w->pcs);
  for (size_t i = 0; i < count; ++i) {
    assert(at[i].pc < c->insts.len);
    values[i] = (RunValue){0};
    map_put(w->index, key_of(at[i].step, at[i].pc), i + 1);
    w->pcs[at[i].pc] = true;
  }
  return w;
}

void watch_free(Watch *w) {
  if (!w) return;
  map_free(w->index);
  mem_free(w->pcs);
  mem_free(w);
}

static void take_words(RunValue *value, const uint64_t *slots, SlotRange r) {
  value->known = r.count > 0;
  for (uint32_t i = 0; i < r.count && i < 2; ++i) value->words[i] = slots[r.first + i];
}

// What an instruction without a result has its value in.
static SlotRange given(const Operands *o, const Inst *i) {
  bool stores = (i->op >= OP_STORE8 && i->op <= OP_STOREN) || i->op == OP_COPY || i->op == OP_FILL;
  return o->reads[stores ? 1 : 0];
}

bool watch_step(Machine *m, Thread *t, uint32_t pc) {
  Watch *w = m->watch;
  if (m->pause && !--m->pause) return false;
  if (m->partial) partial_step(m, t, pc);
  if (!w) return true;
  if (w->waiting && frame_of(t)->id == w->frame)
    take_words(w->waiting, slots_of(t), (SlotRange){w->slot, w->count});
  w->waiting = NULL;
  if (!w->pcs[pc]) return true;
  uint64_t place = map_or(w->index, key_of((uint32_t)m->trace->steps.len - 1, pc), 0);
  if (!place) return true;
  const Inst *i = &w->c->insts.at[pc];
  Operands o = operands_of(w->c, i);
  if (!o.gives.count) {
    take_words(&w->values[place - 1], slots_of(t), given(&o, i));
    return true;
  }
  w->waiting = &w->values[place - 1];
  w->frame = frame_of(t)->id, w->slot = o.gives.first, w->count = o.gives.count;
  return true;
}

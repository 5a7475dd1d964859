// Instances of a trace by what they are. As a walk does, this goes back over the steps and cuts those that
// others continue.
#include <assert.h>
#include "inside.h"
#include "operands.h"
#include "backwalk.h"

typedef struct {
  const Bytecode *c;
  const RunTrace *t;
  uint32_t *cuts;  // by frame
} Search;

static Search search_begin(const Runner *r, const RunTrace *t) {
  Search s = {runner_code(r), t, mem_array(t->frames.len + 1, sizeof *s.cuts)};
  for (vec_each(i, &t->frames)) s.cuts[i] = t->frames.at[i].stopped;
  return s;
}

// The pcs of a step; steps must be taken from the last one on.
static uint32_t step_end(Search *s, size_t step) {
  const TraceStep *x = &s->t->steps.at[step];
  uint32_t frame = x->frame & ~TRACE_GOES_ON, end = s->cuts[frame];
  if (end == TRACE_NONE) {
    end = x->pc;
    while (!ends_step(&s->c->insts.at[end])) ++end;
    ++end;
  }
  s->cuts[frame] = x->frame & TRACE_GOES_ON ? x->pc : TRACE_NONE;
  return end;
}

bool backwalk_last(const Runner *r, const RunTrace *t, LLVMValueRef inst, uint32_t thread,
                   BackwalkInstance *out) {
  Search s = search_begin(r, t);
  bool found = false;
  for (size_t step = t->steps.len; step-- > 0 && !found;) {
    uint32_t frame = t->steps.at[step].frame & ~TRACE_GOES_ON, end = step_end(&s, step);
    if (thread != SIGMA_NONE && t->frames.at[frame].thread != thread) continue;
    for (uint32_t pc = end; pc-- > t->steps.at[step].pc && !found;)
      if (s.c->origins.at[pc] == inst) *out = (BackwalkInstance){(uint32_t)step, pc}, found = true;
  }
  mem_free(s.cuts);
  return found;
}

bool backwalk_output(const Runner *r, const RunTrace *t, BackwalkInstance *out) {
  Search s = search_begin(r, t);
  uint32_t write = host_find("host_write", true);
  bool found = false;
  for (size_t step = t->steps.len; step-- > 0 && !found;) {
    uint32_t pc = step_end(&s, step) - 1;
    if (pc < t->steps.at[step].pc) continue;
    const Inst *i = &s.c->insts.at[pc];
    if (i->op == OP_HOST && i->a == write) *out = (BackwalkInstance){(uint32_t)step, pc}, found = true;
  }
  mem_free(s.cuts);
  return found;
}

bool backwalk_event(const RunTrace *t, uint32_t event, BackwalkInstance *out) {
  for (vec_each(i, &t->events)) {
    if (t->events.at[i].event != event) continue;
    *out = (BackwalkInstance){t->events.at[i].step, t->events.at[i].pc};
    return true;
  }
  return false;
}

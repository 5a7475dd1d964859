#include "examined.h"
#include <assert.h>

static bool comes_later(int kind) {
  return kind == SYNC_ENTER || kind == EVENT_RET || kind == EVENT_UNWIND || kind == EVENT_JUMP ||
         kind == EVENT_CALL || kind == EVENT_CALLBACK;
}

// The beginning and end of calls stand beside the instruction that comes next: they were not performed by it.
// An arrival is in the instance that departs.
static void find_performed(Examined *of) {
  const Schedule *c = of->sigma->schedules.at[of->schedule];
  uint32_t *arrived = mem_array((size_t)c->threads + 1, sizeof *arrived);
  for (vec_each(i, &c->events)) of->performed[i].step = TRACE_NONE;
  for (uint32_t i = 0; i < c->threads; ++i) arrived[i] = SIGMA_NONE;
  for (vec_each(i, &of->trace->events)) {
    const TraceEvent *x = &of->trace->events.at[i];
    const Event *e = &c->events.at[x->event];
    if (comes_later(e->kind) || x->step >= of->trace->steps.len) continue;
    RunInstance at = {x->step, x->pc};
    bool there = instances_frame(of->all, x->step) == x->frame && x->pc >= of->trace->steps.at[x->step].pc &&
                 x->pc < instances_end(of->all, x->step);
    if (e->phase == EVENT_ARRIVE && e->outcome == SYNC_OK) {
      arrived[e->thread] = x->event;
      continue;
    }
    if (!there) continue;
    of->performed[x->event] = at;
    if (e->phase == EVENT_DEPART && arrived[e->thread] != SIGMA_NONE) of->performed[arrived[e->thread]] = at;
  }
  mem_free(arrived);
}

bool examined_open(Examined *of, Diags *diags) {
  const Schedule *c = of->sigma->schedules.at[of->schedule];
  of->all = instances_new(of->runner, of->trace);
  of->order = order_new(of->sigma, of->schedule, diags);
  of->performed = mem_array(c->events.len + 1, sizeof *of->performed);
  if (!of->all) diag_error(diags, "the trace has more instructions than can be numbered");
  if (of->all && of->order) find_performed(of);
  return of->all && of->order;
}

void examined_close(Examined *of) {
  instances_free(of->all), order_free(of->order), mem_free(of->performed);
  of->all = NULL, of->order = NULL, of->performed = NULL;
}

uint32_t examined_event(const Examined *of, RunInstance at) {
  const RunTrace *t = of->trace;
  size_t low = 0, high = t->events.len;  // the first event of a later step
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (t->events.at[middle].step <= at.step)
      low = middle + 1;
    else
      high = middle;
  }
  for (size_t i = low; i-- > 0 && t->events.at[i].step == at.step;) {
    const RunInstance *p = &of->performed[t->events.at[i].event];
    if (p->step == at.step && p->pc == at.pc) return t->events.at[i].event;
  }
  return SIGMA_NONE;
}

bool examined_last(const Examined *of, uint32_t frame, uint32_t pc, uint32_t step, RunInstance *out) {
  const RunTrace *t = of->trace;
  for (uint32_t s = step + 1; s-- > t->frames.at[frame].entered;) {
    if (instances_frame(of->all, s) != frame) continue;
    if (pc < t->steps.at[s].pc || pc >= instances_end(of->all, s)) continue;
    return *out = (RunInstance){s, pc}, true;
  }
  return false;
}

bool examined_own(const Examined *of, RunInstance at, RunInstance *out) {
  const RunTrace *t = of->trace;
  uint32_t frame = instances_frame(of->all, at.step), step = at.step, pc = at.pc;
  while (runner_model(of->runner, t->frames.at[frame].function)) {
    const TraceFrame *f = &t->frames.at[frame];
    if (f->caller == TRACE_NONE || f->starts) return false;
    step = f->entered, pc = f->call, frame = f->caller;
  }
  return examined_last(of, frame, pc, step, out);
}

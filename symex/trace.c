#include "trace.h"
#include <assert.h>

RunTrace *run_trace_new(void) {
  return mem_alloc(sizeof(RunTrace));
}

void run_trace_free(RunTrace *t) {
  if (!t) return;
  vec_free(&t->steps), vec_free(&t->addresses), vec_free(&t->frames), vec_free(&t->effects),
      vec_free(&t->events);
  mem_free(t);
}

void run_trace_clear(RunTrace *t) {
  t->steps.len = t->addresses.len = t->frames.len = t->effects.len = t->events.len = 0;
  t->instructions = 0;
  t->fault_frame = TRACE_NONE;
}

uint64_t run_trace_bytes(const RunTrace *t) {
  return t->steps.len * sizeof *t->steps.at + t->addresses.len * sizeof *t->addresses.at +
         t->frames.len * sizeof *t->frames.at + t->effects.len * sizeof *t->effects.at +
         t->events.len * sizeof *t->events.at;
}

uint32_t run_trace_enter(RunTrace *t, uint32_t thread, uint32_t function, uint32_t caller, uint32_t call,
                         uint64_t memory) {
  TraceFrame f = {.thread = thread, .function = function, .caller = caller, .call = call, .memory = memory};
  f.stopped = TRACE_NONE, f.entered = (uint32_t)t->steps.len, f.starts = caller == TRACE_NONE;
  assert(t->steps.len < TRACE_NONE && t->frames.len < TRACE_GOES_ON);
  vec_push(&t->frames, f);
  return (uint32_t)t->frames.len - 1;
}

void run_trace_effect(RunTrace *t, uint32_t pc, uint64_t address, uint64_t size, bool writes) {
  TraceEffect e = {address, size, (uint32_t)t->steps.len - 1, pc, writes};
  vec_push(&t->effects, e);
}

void run_trace_check(const RunTrace *t) {
  for (vec_each(i, &t->steps)) assert((t->steps.at[i].frame & ~TRACE_GOES_ON) < t->frames.len);
  for (vec_each(i, &t->frames)) {
    const TraceFrame *f = &t->frames.at[i];
    assert(f->caller == TRACE_NONE || f->caller < i);
    assert(f->entered <= t->steps.len);
  }
  for (vec_each(i, &t->effects)) {
    assert(t->effects.at[i].step < t->steps.len);
    assert(!i || t->effects.at[i - 1].step <= t->effects.at[i].step);
  }
  for (vec_each(i, &t->events)) assert(t->events.at[i].frame < t->frames.len);
}

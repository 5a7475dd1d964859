// symex/trace: what run_trace_check notices.
#undef NDEBUG
#include "symex/trace.c"
#include "dies.h"

static void check(void *t) {
  run_trace_check(t);
}

int main(void) {
  RunTrace *t = run_trace_new();
  uint32_t outer = run_trace_enter(t, 0, 0, TRACE_NONE, TRACE_NONE, 0);
  run_trace_step(t, outer, 5);
  uint32_t inner = run_trace_enter(t, 0, 1, outer, 7, 0);
  run_trace_step(t, inner, 9);
  run_trace_effect(t, TRACE_NONE, 64, 8, true);
  run_trace_check(t);
  t->steps.at[1].frame = 2;
  dies_in("run_trace_check", check, t);
  t->steps.at[1].frame = inner | TRACE_GOES_ON;
  t->frames.at[1].caller = inner;
  dies_in("run_trace_check", check, t);
  t->frames.at[1].caller = outer;
  t->effects.at[0].step = 2;
  dies_in("run_trace_check", check, t);
  t->effects.at[0].step = 1;
  run_trace_check(t);
  run_trace_free(t);
  return 0;
}

// Witnesses that somebody else wrote: what they would set, and what a replay makes of their accesses.
#undef NDEBUG
#include <assert.h>
#include "fuzz.h"
#include "replay/replay.h"

// Nothing of it reaches a terminal as it is.
static void tell(const Sigma *w) {
  ReplayResult none = {.verdict = REPLAY_UNDECIDED, .why = mem_string("not run")};
  Bytes out = {0};
  replay_text(w, &none, &out);
  replay_json(w, &none, &out);
  for (vec_each(i, &out)) assert(out.at[i] >= ' ' || out.at[i] == '\n');
  vec_free(&out);
  replay_result_free(&none);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diags *d = diags_new();
  Sigma *w = sigma_parse(span_of(data, size), "fuzz.sched", d);
  if (w) {
    bool usable = w->schedules.len == 1 && schedule_is_witness(w->schedules.at[0]) && sigma_check(w, d);
    const char *forbidden = usable ? replay_forbidden(w, w->schedules.at[0], NULL) : NULL;
    assert(!forbidden || *forbidden);
    if (usable) tell(w);
  }
  sigma_free(w);
  diags_free(d);
  return 0;
}

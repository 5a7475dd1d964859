// cfspec/foreign: what foreign_check notices.
#undef NDEBUG
#include "cfspec/foreign.c"
#include "cfspec_sample.h"
#include "dies.h"

static void check(void *f) {
  foreign_check(f);
}

// As views have it: what creates a thread of the schedule is an event.
static void mark_creates(LLVMModuleRef m) {
  for (all_blocks(b, LLVMGetNamedFunction(m, "main")))
    for (all_insts(i, b)) {
      const Sync *s = call_is(i) ? sync_of_call(i) : NULL;
      if (s && s->kind == SYNC_CREATE) attribute_call_note(i, "specialize.event", "0 0 0");
    }
}

int main(void) {
  Sample x = sample_new();
  mark_creates(x.c.module);
  Foreign *f = foreign_new(x.c.module, true);
  assert(f->threads.len == 1 && alias_threads(f->alias) == 3);
  foreign_check(f);
  uint32_t kept = f->threads.at[0];
  f->threads.at[0] = 0;  // main
  dies_in("foreign_check", check, f);
  f->threads.at[0] = 3 - kept;  // the thread that main creates
  dies_in("foreign_check", check, f);
  f->threads.at[0] = kept;
  vec_push(&f->threads, kept);
  dies_in("foreign_check", check, f);
  foreign_free(f);
  sample_free(&x);
  return 0;
}

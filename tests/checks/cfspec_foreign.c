// cfspec/foreign: what foreign_check notices.
#undef NDEBUG
#include "cfspec/foreign.c"
#include "cfspec_sample.h"
#include "dies.h"

static void check(void *f) {
  foreign_check(f);
}

int main(void) {
  Sample x = sample_new();
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

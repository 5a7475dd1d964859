// alias/build: what build_check notices.
#undef NDEBUG
#include "alias/build.c"
#include "alias_sample.h"
#include "dies.h"

static void check(void *b) {
  build_check(b);
}

int main(void) {
  Alias *a = sample_new();
  Build *b = &a->build;
  build_check(b);
  b->parts.at[0].extra++;
  dies_in("check_parts", check, b);
  b->parts.at[0].extra--;
  Parts *called = &b->parts.at[map_or(b->functions, map_key(b->sys->routines.at[0].function), 0)];
  uint32_t first = called->first;
  called->first = b->sys->routines.at[0].first = first + 1;
  dies_in("check_parts", check, b);
  called->first = first;
  dies_in("check_routines", check, b);
  b->sys->routines.at[0].first = first;
  b->touches.at[0].before = 2;  // a later one
  dies_in("build_check", check, b);
  b->touches.at[0].before = 0, b->touches.at[0].node = b->sys->nodes;
  dies_in("build_check", check, b);
  b->touches.at[0].node = 0, set_add(&b->sys->queried, 0);
  b->named[0] = NODE_NONE;
  dies_in("build_check", check, b);
  b->named[0] = 1;
  uint32_t o = b->sys->routines.at[0].object;
  b->sys->routine_of[o] = NODE_NONE;
  dies_in("build_check", check, b);
  b->sys->routine_of[o] = 0;
  build_check(b);
  sample_free(a);
  return 0;
}

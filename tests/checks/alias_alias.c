// alias/alias: what alias_check notices.
#undef NDEBUG
#include "alias/alias.c"
#include "alias_sample.h"
#include "dies.h"

static void check(void *a) {
  alias_check(a);
}

int main(void) {
  Alias *a = sample_new();
  alias_check(a);
  uint32_t function = a->sys->routines.at[0].object, call = 0;
  a->single[function] = true;
  dies_in("alias_check", check, a);
  a->single[function] = false;
  a->build.sys = NULL;
  dies_in("alias_check", check, a);
  a->build.sys = a->sys;
  while (a->sys->calls.at[call].type == NODE_NONE) ++call;
  uint64_t key = map_key(a->sys->calls.at[call].call);
  map_put(a->calls, key, call + 2);
  dies_in("check_calls", check, a);
  map_put(a->calls, key, call + 1);
  a->sol->targets.len--;
  dies_in("check_calls", check, a);
  a->sol->targets.len++;
  alias_check(a);
  sample_free(a);
  return 0;
}

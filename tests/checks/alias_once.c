// alias/once: what once_check notices.
#undef NDEBUG
#include "alias/once.c"
#include "alias_sample.h"
#include "dies.h"

static void check(void *o) {
  once_check(o);
}

int main(void) {
  Alias *a = sample_new();
  Once *o = once_new(a);
  LLVMValueRef main_function = LLVMGetNamedFunction(a->build.module, "main");
  assert(once_executes(o, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(main_function))));
  once_check(o);
  Entry *e = &vec_last(&o->entries);
  assert(e->once == 3 && e->cyclic);
  e->once = 1;  // somebody is still looking
  dies_in("once_check", check, o);
  e->once = 3, e->sites = 3;
  dies_in("once_check", check, o);
  e->sites = 1;
  bool *cyclic = e->cyclic;
  e->cyclic = NULL;
  dies_in("once_check", check, o);
  e->cyclic = cyclic, o->functions.at[0] = main_function;
  dies_in("once_check", check, o);
  once_free(o);
  sample_free(a);
  return 0;
}

// alias/fresh: what fresh_check notices.
#undef NDEBUG
#include "alias/fresh.c"
#include "alias_sample.h"
#include "dies.h"

static void check(void *f) {
  fresh_check(f);
}

int main(void) {
  Alias *a = sample_new();
  LLVMValueRef function = LLVMGetNamedFunction(a->build.module, "wrap");
  Fresh *f = a->build.fresh;
  fresh_check(f);
  assert(fresh_function(f, function));
  Info *wrap = &f->infos.at[map_or(f->ids, map_key(function), 0)],
       *other = wrap == f->infos.at ? wrap + 1 : wrap - 1;
  wrap->fresh = false;
  dies_in("check_info", check, f);
  wrap->fresh = true, wrap->size_arg = 1;  // it has one parameter
  dies_in("check_info", check, f);
  wrap->size_arg = 0, wrap->parts.at[0] = LLVMGetParam(function, 0);
  dies_in("fresh_check", check, f);  // its call is nobody's part
  wrap->parts.at[0] = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  fresh_check(f);
  LLVMValueRef kept = other->function;
  other->function = function;  // listed twice
  dies_in("fresh_check", check, f);
  other->function = kept;
  sample_free(a);
  return 0;
}

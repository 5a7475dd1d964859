// ir/mention: what mentions_check notices.
#undef NDEBUG
#include "ir/mention.c"
#include "dies.h"
#include "../unit/parse.h"

static void check(void *m) {
  mentions_check(m);
}

static void ask(void *m) {
  mentions_at(m, 2);
}

int main(void) {
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef module = parse(c,
                               "@table = global [2 x ptr] [ptr @f, ptr @g]\n"
                               "define void @f() { ret void }\n"
                               "define void @g() { ret void }\n"
                               "define void @never() { ret void }\n");
  Mentions *m = mentions_new(false);
  mentions_add_module(m, module);
  mentions_check(m);
  assert(mentions_count(m) == 2);
  dies_in("mentions_at", ask, m);
  LLVMValueRef *at = m->functions.at, f = at[0];
  at[0] = at[1];
  dies_in("mentions_check", check, m);
  at[0] = LLVMGetNamedFunction(module, "never");
  dies_in("mentions_check", check, m);
  at[0] = LLVMGetNamedGlobal(module, "table");
  dies_in("mentions_check", check, m);
  at[0] = f, vec_push(&m->work, f);
  dies_in("mentions_check", check, m);
  mentions_free(m);
  LLVMDisposeModule(module);
  LLVMContextDispose(c);
  return 0;
}

// ir/site: what sites_check notices.
#undef NDEBUG
#include "ir/site.c"
#include "dies.h"
#include "../unit/parse.h"

static void check(void *s) {
  sites_check(s);
}

static void ask(void *s) {
  sites_call(s, 4);
}

int main(void) {
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = parse(c,
                          "declare void @h()\n"
                          "define void @f() { call void @h() call void @g() ret void }\n"
                          "define void @none() { ret void }\n"
                          "define void @g() { call void @h() call void @h() ret void }\n");
  Sites *s = sites_new(m);
  sites_check(s);
  dies_in("sites_call", ask, s);
  Site *second = &s->sites.at[1];
  second->owner = 2;
  dies_in("check_owner", check, s);
  second->owner = 0;
  LLVMValueRef call = second->call;
  second->call = s->sites.at[2].call;
  dies_in("sites_check", check, s);
  second->call = call;
  Owner *g = &s->owners.at[2];
  g->count = 3;
  dies_in("check_owner", check, s);
  g->count = 1;
  dies_in("sites_check", check, s);
  g->count = 2, g->function = s->owners.at[0].function;
  dies_in("check_owner", check, s);
  sites_free(s);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
  return 0;
}

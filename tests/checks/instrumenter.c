// record/instrumenter: what instrumenter_check notices.
#undef NDEBUG
#include "record/instrument.c"
#include "dies.h"
#include "tests/unit/parse.h"

static void check(void *k) {
  instrumenter_check(k);
}

int main(void) {
  LLVMContextRef c = LLVMContextCreate(), other = LLVMContextCreate();
  LLVMModuleRef m = parse(c,
                          "declare i32 @f(ptr)\ndefine i32 @main() {\n"
                          "  %x = call i32 @f(ptr null)\n  ret i32 %x\n}\n");
  Sites *sites = sites_new(m);
  Callgraph *graph = callgraph_new(m, sites);
  Instrumenter k = {.m = m, .c = c, .sites = sites, .graph = graph};
  k.i32 = LLVMInt32TypeInContext(c), k.ptr = LLVMPointerTypeInContext(c, 0),
  k.none = LLVMVoidTypeInContext(c);
  instrumenter_check(&k);
  k.i32 = LLVMInt64TypeInContext(c);
  dies_in("instrumenter_check", check, &k);
  k.i32 = LLVMInt32TypeInContext(c), k.c = other;
  dies_in("instrumenter_check", check, &k);
  k.c = c, k.none = k.ptr;
  dies_in("instrumenter_check", check, &k);
  k.none = LLVMVoidTypeInContext(c);
  Sites *again = sites_new(m);
  k.sites = again;
  dies_in("instrumenter_check", check, &k);
  k.sites = sites;
  instrumenter_check(&k);
  sites_free(again);
  callgraph_free(graph);
  sites_free(sites);
  LLVMDisposeModule(m);
  LLVMContextDispose(c), LLVMContextDispose(other);
  return 0;
}

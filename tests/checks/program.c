// record/program: what program_check notices.
#undef NDEBUG
#include <assert.h>
#include "dies.h"
#include "record/record.h"
#include "tests/unit/parse.h"

static const char text[] =
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "define void @one() { ret void }\n"
    "define void @two() { ret void }\n"
    "define i32 @main(i32 %n, ptr %m) {\n"
    "  %f = select i1 true, ptr @one, ptr @two\n"
    "  call void %f()\n"
    "  %x = call i32 @pthread_mutex_lock(ptr %m)\n"
    "  ret i32 0\n"
    "}\n";

static void check(void *l) {
  program_check(l);
}

int main(void) {
  Program l = {.context = LLVMContextCreate()};
  l.module = parse(l.context, text);
  l.hash_text = hash_text(l.hash);
  l.sites = sites_new(l.module);
  l.graph = callgraph_new(l.module, l.sites);
  l.sync = maysync_new(l.graph);
  uint32_t one = callgraph_id(l.graph, LLVMGetNamedFunction(l.module, "one"));
  pairs_add(&l.targets, 0, one), pairs_add(&l.targets, 0, one + 1);
  program_check(&l);

  l.hash[3] = 1;
  dies_in("program_check", check, &l);
  l.hash[3] = 0;
  Sites *sites = l.sites, *others = sites_new(l.module);
  l.sites = others;
  dies_in("program_check", check, &l);
  l.sites = sites;
  sites_free(others);
  l.by_type = true;
  dies_in("check_targets", check, &l);
  l.by_type = false, l.targets.at[1].item = one;  // twice
  dies_in("check_targets", check, &l);
  l.targets.at[1].item = callgraph_count(l.graph);
  dies_in("check_targets", check, &l);
  l.targets.at[1] = (Pair){1, one};  // the call of pthread_mutex_lock, which enters nothing else
  dies_in("check_targets", check, &l);
  l.targets.len = 1;
  program_check(&l);
  program_free(&l);
  return 0;
}

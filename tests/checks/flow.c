// What code_check, accesses_check and known_check notice.
#undef NDEBUG
#include "flow/access.c"
#include "flow/code_inside.h"
#include "flow/knower.h"
#include "../unit/flow_set.h"
#include "dies.h"

static void check_code(void *c) {
  code_check(c);
}
static void check_accesses(void *v) {
  accesses_check(v);
}
static void check_known(void *v) {
  known_check(v);
}

static void test_code(Code *c) {
  CodeFunction *f = &c->functions.at[c->threads.at[1].root];
  code_check(c);
  f->thread = 0;  // another thread's root
  dies_in("check_function", check_code, c);
  f->thread = 1;
  uint32_t *to = &f->to[cfg_of(f->cfg, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->function)))];
  (*to) += 100;  // behind the last operation
  dies_in("check_region", check_code, c);
  (*to) -= 100;
  uint32_t *beyond = &c->threads.at[0].beyond[1];
  uint32_t was = *beyond;
  *beyond = 0;
  dies_in("check_thread", check_code, c);
  *beyond = was;
  code_check(c);
}

static void test_accesses(Accesses *v) {
  accesses_check(v);
  unsigned kind = v->all.at[0].kind;
  v->all.at[0].kind = 0;
  dies_in("check_access", check_accesses, v);
  v->all.at[0].kind = kind;
  Ids writes = {0};
  for (uint32_t o = 0; !writes.len; ++o) writes = lists_of(&v->writes, o);
  Access *x = &v->all.at[writes.at[0]];
  kind = x->kind, x->kind = ALIAS_READS;  // in the list of writes
  dies_in("check_list", check_accesses, v);
  x->kind = kind;
  accesses_check(v);
}

static void test_known(Known *v) {
  known_check(v);
  v->depth = 1;
  dies_in("known_check", check_known, v);
  v->depth = 0;
  vec_push(&v->rounds, ((Fact){.truth = bv_const(v->t, 8, 3), .about = BV_NONE}));  // no truth
  dies_in("check_fact", check_known, v);
  (void)vec_pop(&v->rounds);
  known_check(v);
}

int main(void) {
  FlowSet x = flow_set_up(false, false);
  test_code((Code *)(uintptr_t)flow_code(x.flow));
  Accesses *accesses = accesses_new(flow_code(x.flow), flow_aliases(x.flow));
  Known *known = known_new(flow_code(x.flow), flow_aliases(x.flow), accesses, false);
  test_accesses(accesses);
  test_known(known);
  known_free(known);
  accesses_free(accesses);
  flow_tear_down(&x);
  return 0;
}

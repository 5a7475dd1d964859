// What is known in the clones of a small program: a value that another thread stored, a branch that the
// schedule decides, a volatile variable, code that leaves the schedule; and the reasons for it.
#undef NDEBUG
#include "flow_set.h"

// The call of mark number n in main's root.
static LLVMValueRef mark(const FlowSet *x, unsigned n) {
  const CodeFunction *root = code_root(flow_code(x->flow), 0);
  for (all_blocks(b, root->function))
    for (all_insts(i, b))
      if (call_is(i) && call_function(i) && !strcmp(LLVMGetValueName(call_function(i)), "mark") && !n--)
        return i;
  assert(!"there is such a mark");
  return NULL;
}

static bool is_known(FlowSet *x, unsigned n, uint64_t value, FlowWhy *why) {
  LLVMValueRef at = mark(x, n);
  Bv term = flow_term(x->flow, LLVMGetOperand(at, 0), at, 1, why);
  return term != BV_NONE && bv_is(flow_terms(x->flow), term, value);
}

static void test_memory(void) {
  FlowSet x = flow_set_up(false, false);
  FlowWhy why = {0};
  assert(is_known(&x, 0, 5, &why));
  // It rests on the thread's end: of main's events on the join, and all that the thread did.
  assert(why.events.len == 2 && why.constraint);
  assert(order_schedule(x.order)->events.at[why.events.at[0]].kind == SYNC_JOIN);
  assert(order_schedule(x.order)->events.at[why.events.at[1]].kind == SYNC_EXIT);
  flow_why_free(&why);
  assert(!is_known(&x, 1, 7, NULL));
  flow_tear_down(&x);
  x = flow_set_up(false, true);
  assert(is_known(&x, 1, 7, NULL));
  flow_tear_down(&x);
}

static void test_defs(void) {
  FlowSet x = flow_set_up(false, true);
  FlowDefs defs = {0};
  LLVMValueRef given = LLVMGetNamedGlobal(x.c.module, "given");
  const Access *load = NULL;
  for (size_t i = 0; i < accesses_count(flow_accesses(x.flow)); ++i) {
    const Access *a = accesses_at(flow_accesses(x.flow), i);
    if (LLVMIsALoadInst(a->inst) && a->pointer == given) load = a;
  }
  assert(load && flow_defs(x.flow, load, &defs, NULL));
  assert(defs.len == 1 && defs.at[0].sure && LLVMIsAStoreInst(defs.at[0].store->inst));
  vec_free(&defs);
  flow_tear_down(&x);
}

// The schedule takes no lock in `bad`, so who comes by `more` leaves it. Behind that, ask has given 3.
static void test_leaving(void) {
  FlowSet x = flow_set_up(false, false);
  FlowWhy why = {0};
  LLVMValueRef at = mark(&x, 3), wide = LLVMGetOperand(at, 0);
  assert(LLVMIsAZExtInst(wide));
  assert(flow_holds(x.flow, LLVMGetOperand(wide, 0), at, &why) == FLOW_YES);
  assert(why.tested.len >= 1);
  flow_why_free(&why);
  size_t all = accesses_count(flow_accesses(x.flow));
  flow_tear_down(&x);
  x = flow_set_up(true, false);
  assert(accesses_count(flow_accesses(x.flow)) < all);
  assert(is_known(&x, 2, 7, NULL));
  flow_tear_down(&x);
}

static void test_meeting(void) {
  FlowSet x = flow_set_up(false, true);
  const Access *load = NULL, *store = NULL;
  for (size_t i = 0; i < accesses_count(flow_accesses(x.flow)); ++i) {
    const Access *a = accesses_at(flow_accesses(x.flow), i);
    if (a->pointer == LLVMGetNamedGlobal(x.c.module, "wild")) load = a;
    if (a->pointer == LLVMGetNamedGlobal(x.c.module, "given") && a->kind == ALIAS_WRITES) store = a;
  }
  FlowWhy why = {0};
  assert(load && store);
  assert(flow_meet(x.flow, load, store, &why) == FLOW_DISTINCT);
  assert(flow_meet(x.flow, store, store, &why) == FLOW_OVERLAP);
  flow_why_free(&why);
  flow_tear_down(&x);
}

int main(void) {
  test_memory();
  test_defs();
  test_leaving();
  test_meeting();
  return 0;
}

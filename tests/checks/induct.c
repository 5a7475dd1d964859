// ir/induct: what inducts_check notices.
#undef NDEBUG
#include "ir/induct.c"
#include "dies.h"
#include "../unit/parse.h"

static void check(void *in) {
  inducts_check(in);
}

static void ask(void *in) {
  Induct other = {0};
  inducts_monotone(in, &other, true);
}

static void test_variables(Inducts *in) {
  Induct *i = &in->all.at[0], kept = *i;
  i->loop = 1;
  dies_in("check_one", check, in);
  *i = kept, i->amount = 0;
  dies_in("check_one", check, in);
  *i = kept, i->inbounds = true;  // it is no pointer
  dies_in("check_one", check, in);
  *i = kept, i->phi = in->all.at[1].phi;
  dies_in("check_one", check, in);
  *i = kept, i->next = NULL;
  dies_in("inducts_check", check, in);
  *i = kept;
  inducts_check(in);
}

static void test_bounds(Inducts *in) {
  assert(in->bounds.len == 2);
  InductBound *b = &in->bounds.at[0], kept = *b;
  b->induct = 2;
  dies_in("check_bound", check, in);
  *b = kept, b->block = 0;  // in no loop
  dies_in("check_bound", check, in);
  *b = kept, b->stay = (LLVMIntPredicate)0;
  dies_in("check_bound", check, in);
  *b = kept, b->extended = LLVMTrunc;
  dies_in("check_bound", check, in);
  *b = kept;
  uint32_t *of = in->bounds_of.items, first = of[0];
  of[0] = of[1];
  dies_in("inducts_check", check, in);
  of[0] = first;
  inducts_check(in);
}

static const char two_loops[] =
    "define void @f(i32 %n) {\n"
    "entry:\n  br label %outer\n"
    "outer:\n  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]\n  br label %inner\n"
    "inner:\n  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]\n"
    "  %j1 = add nsw i32 %j, 2\n  %c = icmp slt i32 %j1, %n\n  br i1 %c, label %inner, label %latch\n"
    "latch:\n  %i1 = add nsw i32 %i, 1\n  %d = icmp slt i32 %i1, %n\n  br i1 %d, label %outer, label %end\n"
    "end:\n  ret void\n}\n";

int main(void) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef m = parse(context, two_loops);
  Cfg *c = cfg_new(LLVMGetNamedFunction(m, "f"));
  Dom *d = dom_new(c);
  Loops *l = loops_new(c, d);
  Inducts *in = inducts_new(l);
  inducts_check(in);
  assert(in->all.len == 2);
  dies_in("inducts_monotone", ask, in);
  test_variables(in);
  test_bounds(in);
  inducts_free(in);
  loops_free(l);
  dom_free(d);
  cfg_free(c);
  LLVMDisposeModule(m);
  LLVMContextDispose(context);
  return 0;
}

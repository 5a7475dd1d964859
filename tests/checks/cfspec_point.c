// cfspec/point: what points_check notices.
#undef NDEBUG
#include "cfspec/point.c"
#include "cfspec_sample.h"
#include "dies.h"

static void check(void *p) {
  points_check(p);
}

int main(void) {
  Sample x = sample_new();
  LLVMValueRef main_function = LLVMGetNamedFunction(x.c.module, "main");
  Module k = {.m = x.c.module, .c = x.c.context, .b = LLVMCreateBuilderInContext(x.c.context), .diags = x.d};
  uint32_t of[] = {0, UINT32_MAX, 0};
  Points p = {.main = main_function, .of = of};
  add_schedule(&p, 0, local_of(x.c.module, "main", "t"));
  add_schedule(&p, 2, local_of(x.c.module, "main", "t"));
  assert(p.points.len == 1 && cut(&k, &p.points.at[0]));
  points_locals(&p);
  assert(p.locals.len == 1);
  points_check(&p);
  p.of[2] = UINT32_MAX;  // it begins at main's entry
  dies_in("check_point", check, &p);
  p.of[2] = 0;
  Point *point = &p.points.at[0];
  LLVMValueRef at = point->at;
  point->at = LLVMGetLastInstruction(LLVMGetInstructionParent(at));  // not where its block begins
  dies_in("check_point", check, &p);
  point->at = at, point->schedules.at[1] = 0;
  dies_in("check_point", check, &p);
  point->schedules.at[1] = 2;
  LLVMValueRef local = p.locals.at[0];
  p.locals.at[0] = at;
  dies_in("points_check", check, &p);
  p.locals.at[0] = local, p.argc = at;  // without the other two
  dies_in("points_check", check, &p);
  p.of = NULL;
  points_free(&p);
  LLVMDisposeBuilder(k.b);
  sample_free(&x);
  return 0;
}
